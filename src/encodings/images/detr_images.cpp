#include "encodings/images/detr_images.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/images/pixel_mask.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/wave_cell.h"
#include "numerics/float32_angles.h"
#include "rows/gathered_waves.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::GeometricProgression;

/// `kept` values are kept for each position.
void check_size(const ValidCounts& counts, std::int64_t features, std::int64_t kept) {
    if (counts.size <= most_kept_values / kept) return;
    throw UsageError(
        fmt::format("--num-pos-feats {}: {} different positions with so many channels are more "
                    "than the 2^28 values that are kept; use fewer channels or smaller images",
                    features, counts.size));
}

/// Returns Y or X of a pixel. Each operation is one of type T, rounded once, in this order.
template <class T>
double normalized(const Normalization& by, std::int64_t count, std::int64_t last) {
    const double result = (static_cast<T>(count) + static_cast<T>(by.offset)) /
                          (static_cast<T>(last) + static_cast<T>(by.eps)) *
                          static_cast<T>(by.scale);
    if (std::isfinite(result)) return result;
    throw UsageError(fmt::format(
        "--eps {}: the position (({} + {}) / ({} + {})) * {} is not finite; use a larger --eps",
        shortest(by.eps), count, shortest(by.offset), last, shortest(by.eps), shortest(by.scale)));
}

/// Returns the positions of the pixels by their numbers.
Positions positions_of(const Images& images, const ValidCounts& counts) {
    if (!images.normalization) return Positions(0, 1, counts.size);
    std::vector<double> positions;
    for (const auto& [last, first] : counts.first_number) {
        for (std::int64_t count = 0; count <= last; ++count) {
            positions.push_back(images.is_exact
                                    ? normalized<double>(*images.normalization, count, last)
                                    : normalized<float>(*images.normalization, count, last));
        }
    }
    return Positions(std::move(positions));
}

/// The channels of an axis, made.
struct Block {
    ValidCounts counts;
    rows::GatheredWaves waves;
};

GeometricProgression progression_of(const Images& images, double temperature) {
    const std::int64_t step = images.is_per_channel ? 1 : 2;
    return {.base = temperature,
            .step = static_cast<double>(step),
            .width = images.features,
            .shift = 0,
            .scale = 1,
            .count = images.features / step};
}

/// Returns the channel of the waves, where sines and cosines alternate, for a channel of an axis.
std::int64_t wave_of(const Images& images, std::int64_t channel) {
    if (images.is_per_channel) return 2 * channel + channel % 2;
    const std::int64_t half = images.features / 2;
    if (!images.is_halved) return channel;
    return channel < half ? 2 * channel : 2 * (channel - half) + 1;
}

Block make_block(const Images& images, ValidCounts counts, double temperature, DType dtype) {
    const GeometricProgression progression = progression_of(images, temperature);
    const Frequencies omega(progression);
    check_size(counts, images.features, 2 * omega.size());
    const Positions positions = positions_of(images, counts);
    check_angles(positions, omega, "--temperature, --scale, --offset, --eps");
    if (images.is_exact) {
        return {std::move(counts), rows::gathered_waves(positions, omega, dtype)};
    }
    numerics::Float32Angles angles =
        numerics::angle_quotients(positions, float32_powers("temperature", progression));
    return {std::move(counts), rows::gathered_waves(positions.size(), std::move(angles), dtype)};
}

Direction direction_of(char axis) {
    return axis == 't' ? Direction::through : axis == 'y' ? Direction::down : Direction::across;
}

/// Returns the mask, repeated for each frame if it has none of its own.
PixelMask mask_of(const Images& images) {
    PixelMask mask = read_mask(*images.mask);
    const std::int64_t frames = images.size.frames;
    if (mask.shape[1] == frames) return mask;
    if (mask.shape.size() > most_kept_values / frames) {
        throw UsageError(
            fmt::format("--frames {}: a mask of {} pixels for each frame is more than "
                        "the 2^28 pixels that are kept",
                        frames, mask.shape.size()));
    }
    std::vector<std::byte> repeated;
    const std::size_t pixels = to_size(images.size.image.height * images.size.image.width);
    for (std::size_t first = 0; first < mask.padding.size(); first += pixels) {
        const auto image = std::span(mask.padding).subspan(first, pixels);
        for (std::int64_t t = 0; t < frames; ++t) {
            repeated.insert(repeated.end(), image.begin(), image.end());
        }
    }
    return {Shape{mask.shape[0], frames, mask.shape[2], mask.shape[3]}, std::move(repeated)};
}

/// Returns the counts of each axis.
std::vector<ValidCounts> counts_of(const Images& images) {
    const Dependence dependence =
        images.normalization ? Dependence::on_count_and_last : Dependence::on_count;
    std::optional<PixelMask> mask;
    if (images.mask) mask = mask_of(images);
    std::vector<ValidCounts> counts;
    for (const AxisChannels& axis : images.axes) {
        const Direction direction = direction_of(axis.axis);
        counts.push_back(mask ? count_valid(*mask, direction, dependence)
                              : count_valid(images.valid, images.size, direction, dependence));
    }
    return counts;
}

/// A pixel of an image, or of a frame, whose number is `image`.
struct Pixel {
    std::int64_t image;
    std::int64_t y;
    std::int64_t x;
};

/// Returns the position of the pixel along axis number `axis` of Images::axes.
double position_of(const Images& images, std::size_t axis, const Pixel& pixel) {
    const ValidCounts counts = std::move(counts_of(images)[axis]);
    std::vector<std::uint32_t> numbers(to_size(images.size.image.width));
    counts.row(pixel.image, pixel.y, numbers);
    return positions_of(images, counts)[numbers[to_size(pixel.x)]];
}

/// Returns the other channel of an axis that has the same frequency; nothing if there is none.
std::optional<std::int64_t> partner_of(const Images& images, std::int64_t channel) {
    for (std::int64_t other = 0; other < images.features; ++other) {
        if (wave_of(images, other) == (wave_of(images, channel) ^ 1)) return other;
    }
    return std::nullopt;
}

}  // namespace

RowSource image_rows(const Images& images, DType dtype) {
    std::vector<ValidCounts> counts = counts_of(images);
    auto blocks = std::make_shared<std::vector<Block>>();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        blocks->push_back(
            make_block(images, std::move(counts[i]), images.axes[i].temperature, dtype));
    }
    std::vector<std::int64_t> waves;
    for (std::int64_t i = 0; i < images.features; ++i) waves.push_back(wave_of(images, i));
    const std::int64_t features = images.features, height = images.size.image.height;
    const std::int64_t channels = features * std::ssize(images.axes);
    const std::size_t width = to_size(images.size.image.width);
    return [=, bytes = width * info(dtype).size](RowRange range, std::span<std::byte> out) {
        std::vector<std::uint32_t> numbers(width);
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t y = (range.first + i) % height;
            const std::int64_t channel = (range.first + i) / height % channels;
            const std::int64_t image = (range.first + i) / height / channels;
            const Block& block = (*blocks)[to_size(channel / features)];
            block.counts.row(image, y, numbers);
            rows::gather(block.waves, waves[to_size(channel % features)], numbers,
                         out.subspan(to_size(i) * bytes, bytes));
        }
    };
}

Cell image_cell(Images images, std::span<const std::int64_t> index) {
    images.is_exact = true;
    const bool is_video = index.size() == 5;
    const std::int64_t image = is_video ? index[0] * images.size.frames + index[1] : index[0];
    const auto [channel_of_all, y, x] =
        std::array{index[is_video ? 2 : 1], index[is_video ? 3 : 2], index[is_video ? 4 : 3]};
    const std::size_t axis = to_size(channel_of_all / images.features);
    const std::int64_t channel = channel_of_all % images.features;
    const std::int64_t wave = wave_of(images, channel);
    const double position = position_of(images, axis, {image, y, x});
    Cell cell = wave_cell(
        1, wave % 2 == 0 ? numerics::Function::sin : numerics::Function::cos, number_term(position),
        frequency_term(progression_of(images, images.axes[axis].temperature), wave / 2));
    cell.of = images.axes[axis].axis;
    cell.pair = wave / 2;
    cell.partner = partner_of(images, channel);
    if (cell.partner) *cell.partner += channel_of_all - channel;
    return cell;
}

}  // namespace pegen::encodings
