#include "encodings/images/detr_padding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "core/to_size.h"

namespace pegen::encodings {
namespace {

/// Calls visit(first) with the first pixel of each line of an axis.
template <class Visit>
void for_each_line(const ImageWaves& images, ImageAxis axis, Visit visit) {
    const std::int64_t step = images.step(axis), size = step * images.length(axis);
    for (std::int64_t outer = 0; outer < images.pixels(); outer += size) {
        for (std::int64_t inner = 0; inner < step; ++inner) visit(outer + inner);
    }
}

/// Angles that stay are the same but for roundings. Positions in a line without valid pixels may be
/// large, but they are one number.
double least_advance(const ImageWaves& images) {
    return 8 * images.sample.error_of(1) + 1e-5;
}

/// Says at which pixels the angle of a block goes on from the pixel before, along the axis; it does
/// not at the first ones.
std::vector<bool> advances_of(const ImageWaves& images, std::int64_t block, ImageAxis axis) {
    std::vector<double> angles;
    for (std::int64_t pixel = 0; pixel < images.pixels(); ++pixel) {
        angles.push_back(std::atan2(images.sine(block, 0, pixel), images.cosine(block, 0, pixel)));
    }
    std::vector<bool> advances(angles.size());
    const double least = least_advance(images);
    const std::int64_t step = images.step(axis), end = step * images.length(axis);
    for_each_line(images, axis, [&](std::int64_t first) {
        for (std::int64_t i = step; i < end; i += step) {
            const double before = angles[to_size(first + i - step)];
            const double advance = evidence::wrapped(angles[to_size(first + i)] - before);
            advances[to_size(first + i)] = std::fabs(advance) > least;
        }
    });
    return advances;
}

CountedAxis counted(const ImageWaves& images, ImageAxis axis, const std::vector<bool>& is_valid) {
    CountedAxis result;
    result.counts.resize(is_valid.size());
    result.lasts.resize(is_valid.size());
    const std::int64_t step = images.step(axis), end = step * images.length(axis);
    for_each_line(images, axis, [&](std::int64_t first) {
        std::vector<std::int64_t> valid;
        for (std::int64_t pixel = first; pixel < first + end; pixel += step) {
            if (is_valid[to_size(pixel)]) valid.push_back(pixel);
            result.counts[to_size(pixel)] = std::ssize(valid);
        }
        for (std::int64_t pixel = first; pixel < first + end; pixel += step) {
            result.lasts[to_size(pixel)] = std::ssize(valid);
        }
        if (valid.size() > result.longest.size()) result.longest = std::move(valid);
    });
    return result;
}

}  // namespace

std::int64_t ImageWaves::length(ImageAxis axis) const {
    return axis == axis_t ? frames : axis == axis_y ? height : width;
}

std::int64_t ImageWaves::step(ImageAxis axis) const {
    return axis == axis_t ? height * width : axis == axis_y ? width : 1;
}

double ImageWaves::value(std::int64_t channel, std::int64_t pixel) const {
    const std::int64_t size = height * width, channels = features * std::ssize(axes);
    return sample.values[to_size((pixel / size * channels + channel) * size + pixel % size)];
}

double ImageWaves::sine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const {
    return value(block * features + (is_halved ? pair : 2 * pair), pixel);
}

double ImageWaves::cosine(std::int64_t block, std::int64_t pair, std::int64_t pixel) const {
    return value(block * features + (is_halved ? features / 2 + pair : 2 * pair + 1), pixel);
}

evidence::WavePairs ImageWaves::pairs(std::int64_t block,
                                      const std::vector<std::int64_t>& pixels) const {
    evidence::WavePairs waves{.rows = std::ssize(pixels), .pairs = features / 2};
    for (std::int64_t pair = 0; pair < features / 2; ++pair) {
        for (const std::int64_t pixel : pixels) {
            waves.sines.push_back(sine(block, pair, pixel));
            waves.cosines.push_back(cosine(block, pair, pixel));
            waves.sine_errors.push_back(sample.error_of(waves.sines.back()));
            waves.cosine_errors.push_back(sample.error_of(waves.cosines.back()));
        }
    }
    return waves;
}

std::optional<std::vector<ImageAxis>> order_of(const ImageWaves& images) {
    std::vector<ImageAxis> order;
    for (std::int64_t block = 0; block < std::ssize(images.axes); ++block) {
        ImageAxis own = axis_t;
        double most = 0;
        for (const ImageAxis axis : images.axes) {
            if (images.length(axis) == 1) continue;
            // At the edge of padding an angle advances along other axes, too.
            const auto share = static_cast<double>(
                                   std::ranges::count(advances_of(images, block, axis), true)) /
                               (1 - 1 / static_cast<double>(images.length(axis)));
            if (share <= most) continue;
            most = share;
            own = axis;
        }
        order.push_back(own);
    }
    if (!std::ranges::is_permutation(order, images.axes)) return std::nullopt;
    return order;
}

Padding padding_of(const ImageWaves& images) {
    Padding padding{.is_valid = std::vector<bool>(to_size(images.pixels()))};
    for (std::int64_t block = 0; block < std::ssize(images.axes); ++block) {
        const std::vector<bool> advances = advances_of(images, block, images.axes[to_size(block)]);
        for (std::size_t pixel = 0; pixel < advances.size(); ++pixel) {
            if (advances[pixel]) padding.is_valid[pixel] = true;
        }
    }
    const std::int64_t size = images.frames * images.height * images.width;
    for (std::int64_t first = 0; first < images.pixels(); first += size) {
        padding.is_valid[to_size(first)] =
            std::ranges::any_of(images.axes, [&](ImageAxis axis) -> bool {
                return images.length(axis) > 1 &&
                       padding.is_valid[to_size(first + images.step(axis))];
            });
    }
    for (const ImageAxis axis : images.axes) {
        padding.axes[axis] = counted(images, axis, padding.is_valid);
    }
    return padding;
}

std::string valid_parts(const ImageWaves& images, const Padding& padding) {
    std::string parts;
    const std::int64_t size = images.height * images.width;
    for (std::int64_t video = 0; video < images.batch; ++video) {
        const auto is_valid = [&](std::int64_t frame, std::int64_t y, std::int64_t x) -> bool {
            const std::int64_t image = video * images.frames + frame;
            return padding.is_valid[to_size(image * size + y * images.width + x)];
        };
        std::int64_t height = 0, width = 0;
        while (height < images.height && is_valid(0, height, 0)) ++height;
        while (width < images.width && is_valid(0, 0, width)) ++width;
        for (std::int64_t frame = 0; frame < images.frames; ++frame) {
            for (std::int64_t y = 0; y < images.height; ++y) {
                for (std::int64_t x = 0; x < images.width; ++x) {
                    if (is_valid(frame, y, x) != (y < height && x < width)) return "";
                }
            }
        }
        parts += fmt::format("{}{}x{}", parts.empty() ? "" : ",", height, width);
    }
    return parts;
}

Table mask_of(const ImageWaves& images, const Padding& padding) {
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (const bool is_valid : padding.is_valid) bytes->push_back(std::byte{!is_valid});
    std::vector<std::int64_t> extents{images.batch, images.height, images.width};
    if (images.axes.size() == 3) extents.insert(extents.begin() + 1, images.frames);
    Table mask;
    mask.axes.assign(extents.size(), Axis{});
    mask.shape = Shape(std::move(extents));
    mask.dtype = DType::boolean;
    mask.rows = [bytes, width = images.width](RowRange range, std::span<std::byte> out) {
        std::memcpy(out.data(), bytes->data() + to_size(range.first * width), out.size());
    };
    return mask;
}

}  // namespace pegen::encodings
