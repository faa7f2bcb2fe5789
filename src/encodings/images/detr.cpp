#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/shape.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "files/array_file.h"
#include "numerics/float32_angles.h"
#include "numerics/sinusoid.h"
#include "rows/arranged.h"

namespace pegen::encodings {
namespace {

/// The padding of a batch of images.
struct PixelMask {
    Shape shape;                     ///< (batch, frames, height, width)
    std::vector<std::byte> padding;  ///< 1: padding, 0: a valid pixel; row-major
};

/// Opens the mask in an NPY file: bool, of shape (batch, height, width) or (batch, frames, height,
/// width), with no empty axis and at most 2^28 pixels. Throws: FileError; FormatError if the file
/// holds no such mask.
Table open_mask(std::string_view path) {
    constexpr std::int64_t most_pixels = std::int64_t{1} << 28;
    Table mask = read_array(path);
    const auto refuse = [&](std::string_view what, std::string_view rule) {
        throw FormatError(path, fmt::format("{}: {}", what, rule));
    };
    const std::string shape = fmt::format("shape {}", to_string(mask.shape));
    if (mask.dtype != DType::boolean) {
        refuse(
            fmt::format("dtype {}", info(mask.dtype).name),
            "a mask must be bool, true where there is padding; save mask == 1, or mask == 0 where "
            "1 marks valid pixels, as in Hugging Face's");
    }
    if (mask.shape.rank() != 3 && mask.shape.rank() != 4) {
        refuse(shape, "a mask must be (batch, height, width) or (batch, frames, height, width)");
    }
    if (mask.shape.size() == 0) refuse(shape, "a mask must have at least one pixel");
    if (mask.shape.size() > most_pixels) refuse(shape, "a mask must have at most 2^28 pixels");
    return mask;
}

/// Reads the mask that open_mask() has opened, one byte for each pixel. Treats images as videos of
/// one frame. Throws: FileError.
PixelMask read_mask(const Table& mask) {
    std::vector<std::int64_t> extents = mask.shape.extents();
    if (extents.size() == 3) extents.insert(extents.begin() + 1, 1);
    PixelMask result{Shape(std::move(extents)), std::vector<std::byte>(total_bytes(mask))};
    mask.rows({0, mask.shape.rows()}, result.padding);
    return result;
}

// Counts of the valid pixels along an axis of images or videos with padding. A line is a column, a
// row, or the frames of a pixel. `count` is the number of valid pixels in a line up to and
// including a pixel, so the first valid pixel has count 1; `last` is the count of the last pixel of
// the line. A padding pixel has the same count as the pixel before it.

struct ImageSize {
    std::int64_t height;
    std::int64_t width;
};

/// The direction of the lines along which pixels are counted: through the frames of a video, down a
/// column, across a row.
enum class Direction { through, down, across };

/// Whether the position of a pixel depends on its count alone, or also on the last count of its
/// line.
enum class Dependence { on_count, on_count_and_last };

/// Neighbouring pixels of a row whose numbers are  first, first + step, first + 2 step, ...
struct NumberRun {
    std::uint32_t first;
    std::uint32_t step;  ///< 0 or 1
    std::int64_t count;
};

/// Numbers for the different pairs (count, last), or for the different counts, among the pixels of
/// a batch. Count 0 has a number with each `last`, even if no pixel has that count.
struct ValidCounts {
    std::map<std::int64_t, std::int64_t> first_number;  ///< number of count 0, by `last`
    std::int64_t size;                                  ///< how many numbers there are

    /// Returns the numbers of the pixels in row y of an image or a frame. Frame t of video b is
    /// image b * frames + t.
    std::function<std::vector<NumberRun>(std::int64_t image, std::int64_t y)> row;
};

/// The common size of all images or videos of a batch.
struct VideoSize {
    std::int64_t frames;
    ImageSize image;
};

/// Returns ValidCounts for lines whose last counts are `lasts`; `row` is still null.
ValidCounts numbered(const std::set<std::int64_t>& lasts, Dependence dependence) {
    ValidCounts counts{{}, 0, nullptr};
    for (const std::int64_t last : lasts) {
        const bool has_its_own = dependence == Dependence::on_count_and_last;
        const std::int64_t first = has_its_own ? counts.size : 0;
        counts.first_number[last] = first;
        counts.size = first + last + 1;
    }
    return counts;
}

struct ValidPart {
    ImageSize size;
    std::uint32_t first_number;  ///< the number of count 0 in the lines of this part
};

/// The number of all pixels in a line of padding: count 0 with last 0, the first pair.
constexpr std::uint32_t number_of_padding = 0;

/// A row of pixels.
struct PixelRow {
    std::int64_t frame;
    std::int64_t y;
};

std::vector<NumberRun> number_frames(const ValidPart& part, PixelRow row, std::int64_t width) {
    const std::int64_t valid = row.y < part.size.height ? part.size.width : 0;
    const auto count = static_cast<std::uint32_t>(row.frame + 1);
    return {{part.first_number + count, 0, valid}, {number_of_padding, 0, width - valid}};
}

std::vector<NumberRun> number_columns(const ValidPart& part, PixelRow row, std::int64_t width) {
    const std::int64_t valid = part.size.width;
    const auto count = static_cast<std::uint32_t>(std::min(row.y + 1, part.size.height));
    return {{part.first_number + count, 0, valid}, {number_of_padding, 0, width - valid}};
}

std::vector<NumberRun> number_row(const ValidPart& part, PixelRow row, std::int64_t width) {
    if (row.y >= part.size.height) return {{number_of_padding, 0, width}};
    const auto last = static_cast<std::uint32_t>(part.size.width);
    return {{part.first_number + 1, 1, part.size.width},
            {part.first_number + last, 0, width - part.size.width}};
}

/// Returns the runs of numbers each of which is the one before, or the next.
std::vector<NumberRun> runs_of(std::span<const std::uint32_t> numbers) {
    std::vector<NumberRun> runs;
    for (const std::uint32_t number : numbers) {
        if (!runs.empty()) {
            auto& [first, step, count] = runs.back();
            if (count == 1) step = number == first + 1 ? 1 : 0;
            if (number == first + step * static_cast<std::uint32_t>(count)) {
                ++count;
                continue;
            }
        }
        runs.push_back({number, 0, 1});
    }
    return runs;
}

/// The lines of a mask, `length` pixels each: pixel i of line (outer, inner) is padding[(outer *
/// length + i) * inners + inner].
struct Lines {
    std::int64_t outers;
    std::int64_t length;
    std::int64_t inners;
};

Lines lines_of(const Shape& shape, Direction direction) {
    const std::int64_t videos = shape[0], frames = shape[1], height = shape[2], width = shape[3];
    switch (direction) {
        case Direction::through:
            return {videos, frames, height * width};
        case Direction::down:
            return {videos * frames, height, width};
        case Direction::across:
            break;
    }
    return {videos * frames * height, width, 1};
}

/// Calls visit(line, pixel) for all pixels, in the order of the pixels within each line.
template <class Visit>
void for_each_pixel(const Lines& lines, Visit visit) {
    std::size_t pixel = 0;
    for (std::int64_t outer = 0; outer < lines.outers; ++outer) {
        for (std::int64_t i = 0; i < lines.length; ++i) {
            for (std::int64_t inner = 0; inner < lines.inners; ++inner) {
                visit(outer * lines.inners + inner, pixel++);
            }
        }
    }
}

/// Counts the pixels of videos whose valid part is at the top left of every frame. `valid` has one
/// size for each video, or one for all videos. Keeps only the sizes in memory. Precondition: each
/// size fits into `whole`.
ValidCounts count_valid(const std::vector<ImageSize>& valid, const VideoSize& whole,
                        Direction direction, Dependence dependence) {
    const bool is_through = direction == Direction::through, is_down = direction == Direction::down;
    const auto last_within = [=](ImageSize size) {
        if (!is_through) return is_down ? size.height : size.width;
        return size.height * size.width == 0 ? 0 : whole.frames;
    };
    const auto has_padding_lines = [=](ImageSize size) {
        const bool is_narrow = size.width < whole.image.width;
        const bool is_low = size.height < whole.image.height;
        return is_through ? is_narrow || is_low : is_down ? is_narrow : is_low;
    };
    std::set<std::int64_t> lasts;
    for (const ImageSize size : valid) {
        lasts.insert(last_within(size));
        if (has_padding_lines(size)) lasts.insert(0);
    }
    ValidCounts counts = numbered(lasts, dependence);
    std::vector<ValidPart> parts;
    for (const ImageSize size : valid) {
        const std::int64_t first = counts.first_number.at(last_within(size));
        parts.push_back({size, static_cast<std::uint32_t>(first)});
    }
    const auto number = is_through ? number_frames : is_down ? number_columns : number_row;
    counts.row = [=, parts = std::move(parts)](std::int64_t image, std::int64_t y) {
        const std::size_t video = parts.size() == 1 ? 0 : image / whole.frames;
        return number(parts[video], {image % whole.frames, y}, whole.image.width);
    };
    return counts;
}

/// Counts the pixels of any mask. Keeps four bytes for each pixel in memory.
ValidCounts count_valid(const PixelMask& mask, Direction direction, Dependence dependence) {
    const Lines lines = lines_of(mask.shape, direction);
    std::vector<std::uint32_t> lasts(lines.outers * lines.inners);
    const auto numbers = std::make_shared<std::vector<std::uint32_t>>(mask.padding.size());
    for_each_pixel(lines, [&](std::size_t line, std::size_t pixel) {
        (*numbers)[pixel] = lasts[line] += mask.padding[pixel] == std::byte{0};
    });
    ValidCounts counts = numbered({lasts.begin(), lasts.end()}, dependence);
    for (std::uint32_t& last : lasts) {
        last = static_cast<std::uint32_t>(counts.first_number.at(last));
    }
    for_each_pixel(lines,
                   [&](std::size_t line, std::size_t pixel) { (*numbers)[pixel] += lasts[line]; });
    counts.row = [numbers, height = mask.shape[2], width = mask.shape[3]](std::int64_t image,
                                                                          std::int64_t y) {
        return runs_of(std::span(*numbers).subspan((image * height + y) * width, width));
    };
    return counts;
}

constexpr std::int64_t most_kept_values = std::int64_t{1} << 28;

/// The formula for a pixel's position from its count and the last count of its line: (count +
/// offset) / (last + eps) * scale.
struct Normalization {
    double offset;
    double eps;
    double scale;
};

/// An axis with its channels.
struct AxisChannels {
    char axis;  ///< t, y or x
    double temperature;
};

/// The images and their channels, as given by the parameters. An image is a video of one frame.
struct Images {
    std::int64_t batch;
    VideoSize size;
    std::optional<Table> mask;     ///< opened, not yet read
    std::vector<ImageSize> valid;  ///< without a mask: the valid part of each image, or of all
    std::int64_t features;         ///< channels of each axis
    bool is_halved;                ///< sines before cosines
    bool is_per_channel;           ///< a frequency for each channel
    std::vector<AxisChannels> axes;
    std::optional<Normalization> normalization;
    bool is_exact;  ///< --arith exact
};

using numerics::Frequencies;
using numerics::GeometricProgression;

/// Checks that all positions, with `kept` values each, fit into memory. Throws: UsageError.
void check_size(const ValidCounts& counts, std::int64_t features, std::int64_t kept) {
    if (counts.size <= most_kept_values / kept) return;
    throw UsageError(
        fmt::format("--num-pos-feats {}: {} different positions with so many channels are more "
                    "than the 2^28 values that are kept; use fewer channels or smaller images",
                    features, counts.size));
}

/// Returns the position Y or X of a pixel. Computes each operation in type T, rounded once, in the
/// order of the formula. Throws: UsageError if the position is not finite.
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

/// Returns the positions of the pixels, indexed by the numbers of `counts`.
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

/// The sines and cosines of a few positions, from which the rows of images are gathered: channel 2k
/// holds sin(position * frequency[k]), channel 2k + 1 holds cos(position * frequency[k]).
struct Waves {
    DType dtype;
    std::int64_t positions;
    std::vector<std::byte> values;  ///< [channel][position]
};

/// Sets the elements of a row of pixels to values[channel][number of the pixel].
void gather(const Waves& waves, std::int64_t channel, const std::vector<NumberRun>& numbers,
            std::span<std::byte> out) {
    with_element_type(waves.dtype, [&]<class T>(std::type_identity<T>) {
        const T* const of_channel =
            reinterpret_cast<const T*>(waves.values.data()) + channel * waves.positions;
        T* place = reinterpret_cast<T*>(out.data());
        for (const auto& [first, step, count] : numbers) {
            place = step == 0 ? std::fill_n(place, count, of_channel[first])
                              : std::copy_n(of_channel + first, count, place);
        }
    });
}

/// The waves of an axis, with the counts that select them.
struct Block {
    ValidCounts counts;
    Waves waves;
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

/// Returns the wave channel for a channel of an axis; wave channels alternate between sine and
/// cosine.
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
    const numerics::ChannelLayout channels = numerics::interleaved(2 * omega.size());
    const Rows rows =
        images.is_exact
            ? numerics::sinusoid_rows(positions, omega, channels, 1.0, dtype)
            : numerics::float32_wave_rows(
                  numerics::angle_quotients(positions, float32_powers("temperature", progression)),
                  channels, 1, dtype);
    return {std::move(counts), {dtype, positions.size(), rows::columns_of(rows)}};
}

Direction direction_of(char axis) {
    return axis == 't' ? Direction::through : axis == 'y' ? Direction::down : Direction::across;
}

/// Returns the mask with one plane for each frame, repeating a mask that has no frames.
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
    const std::size_t pixels = images.size.image.height * images.size.image.width;
    for (std::size_t first = 0; first < mask.padding.size(); first += pixels) {
        const auto image = std::span(mask.padding).subspan(first, pixels);
        for (std::int64_t t = 0; t < frames; ++t) {
            repeated.insert(repeated.end(), image.begin(), image.end());
        }
    }
    return {Shape{mask.shape[0], frames, mask.shape[2], mask.shape[3]}, std::move(repeated)};
}

/// Returns the counts along each axis.
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

/// A pixel; `image` is the number of its image or frame in the batch.
struct Pixel {
    std::int64_t image;
    std::int64_t y;
    std::int64_t x;
};

/// Returns the position of the pixel along Images::axes[axis].
double position_of(const Images& images, std::size_t axis, const Pixel& pixel) {
    const ValidCounts counts = std::move(counts_of(images)[axis]);
    std::int64_t x = pixel.x;
    for (const auto& [first, step, count] : counts.row(pixel.image, pixel.y)) {
        if (x < count) return positions_of(images, counts)[first + step * x];
        x -= count;
    }
    throw InternalError(fmt::format("no pixel {} in a row", pixel.x));
}

/// Returns the other channel of the axis with the same frequency; nothing if there is none.
std::optional<std::int64_t> partner_of(const Images& images, std::int64_t channel) {
    for (std::int64_t other = 0; other < images.features; ++other) {
        if (wave_of(images, other) == (wave_of(images, channel) ^ 1)) return other;
    }
    return std::nullopt;
}

/// Returns the rows of the table (batch, channels, height, width) or (batch, frames, channels,
/// height, width). Throws: UsageError for positions that are not finite, or for more than
/// most_kept_values.
Rows image_rows(const Images& images, DType dtype) {
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
    const std::size_t width = images.size.image.width;
    const std::int64_t rows = images.batch * images.size.frames * channels * height;
    return {[=, bytes = width * info(dtype).size](RowRange range, std::span<std::byte> out) {
                for (std::int64_t i = 0; i < range.count; ++i) {
                    const std::int64_t y = (range.first + i) % height;
                    const std::int64_t channel = (range.first + i) / height % channels;
                    const std::int64_t image = (range.first + i) / height / channels;
                    const Block& block = (*blocks)[channel / features];
                    gather(block.waves, waves[channel % features], block.counts.row(image, y),
                           out.subspan(i * bytes, bytes));
                }
            },
            rows, images.size.image.width, dtype};
}

/// Returns the cell of the value with this index, in exact arithmetic.
Cell image_cell(Images images, std::span<const std::int64_t> index) {
    images.is_exact = true;
    const bool is_video = index.size() == 5;
    const std::int64_t image = is_video ? index[0] * images.size.frames + index[1] : index[0];
    const auto [channel_of_all, y, x] =
        std::array{index[is_video ? 2 : 1], index[is_video ? 3 : 2], index[is_video ? 4 : 3]};
    const std::size_t axis = channel_of_all / images.features;
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

constexpr Range pixel_count{.lowest = 1, .highest = most_kept_values};

constexpr std::array parameters{
    ParameterSpec{.name = "num-pos-feats",
                  .aliases = "num-feats",
                  .type = ParameterType::integer,
                  .default_value = "64",
                  .range = any_channel_count,
                  .summary = "channels per axis, half of all channels",
                  .role = Role::extent},
    ParameterSpec{
        .name = "temperature",
        .aliases = "base theta",
        .type = ParameterType::reals,
        .default_value = "10000",
        .range = positive,
        .summary = "ratio of the longest to the shortest wavelength (about); or two, for y and x; "
                   "or three, for t, y and x"},
    ParameterSpec{.name = "height",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = pixel_count,
                  .summary = "rows of pixels (implied by --mask)",
                  .role = Role::extent},
    ParameterSpec{.name = "width",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = pixel_count,
                  .summary = "pixels per row (implied by --mask)",
                  .role = Role::extent},
    ParameterSpec{.name = "batch",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = any_count,
                  .summary = "number of images (implied by --mask and --valid)",
                  .role = Role::extent},
    ParameterSpec{.name = "frames",
                  .aliases = "num-frames depth views",
                  .type = ParameterType::integer,
                  .range = pixel_count,
                  .summary = "frames of a video: a third axis, t [none]",
                  .role = Role::extent,
                  .is_rare = true},
    ParameterSpec{.name = "mask",
                  .type = ParameterType::path,
                  .summary =
                      "NPY file: bool (batch, height, width), true for padding; with --frames "
                      "(batch, frames, height, width)"},
    ParameterSpec{.name = "valid",
                  .type = ParameterType::text,
                  .summary = "HxW,...: size of the unpadded top-left part of each image"},
    ParameterSpec{
        .name = "normalize",
        .type = ParameterType::flag,
        .summary = "scale positions to 0 ... --scale: (count + offset) / (last + eps) * scale"},
    ParameterSpec{.name = "scale",
                  .default_value = "2*pi",
                  .summary = "with --normalize, the position of the last valid pixel"},
    ParameterSpec{
        .name = "offset", .default_value = "0", .summary = "with --normalize, added to the count"},
    ParameterSpec{.name = "eps",
                  .default_value = "1e-6",
                  .range = {.lowest = 0},
                  .summary = "with --normalize, added to the last count"},
    ParameterSpec{.name = "axes",
                  .type = ParameterType::word,
                  .choices = "yx xy tyx txy ytx yxt xty xyt",
                  .summary = "whose channels come first [yx, or tyx with --frames]",
                  .is_rare = true},
    ParameterSpec{.name = "layout",
                  .type = ParameterType::word,
                  .default_value = "interleaved",
                  .choices = "interleaved halves",
                  .summary = "sines and cosines of an axis by turns, or one after the other",
                  .is_rare = true},
    ParameterSpec{
        .name = "pairing",
        .type = ParameterType::word,
        .default_value = "paired",
        .choices = "paired per-channel",
        .summary = "a sine and a cosine of each frequency, or a frequency for each channel",
        .is_rare = true},
    rare_arith_parameter("the exact formula, or float32 arithmetic, in the order of the formula"),
};

void check_features(const Parameters& p) {
    const std::int64_t n = p.integer("num-pos-feats");
    if (n % 2 == 0) return;
    const std::string less = n > 1 ? fmt::format("{} or ", n - 1) : "";
    throw UsageError(fmt::format(
        "--num-pos-feats {}: must be even, a sin and a cos for each frequency; use {}{}", n, less,
        n + 1));
}

/// Returns the axes in the order of --temperature, which is also the order of their channels unless
/// --axes says otherwise.
std::string_view usual_axes(const Parameters& p) { return p.has("frames") ? "tyx" : "yx"; }

void check_temperatures(const Parameters& p) {
    const std::size_t given = p.reals("temperature").size(), axes = usual_axes(p).size();
    if (given == 1 || given == axes) return;
    throw UsageError(fmt::format("--temperature {}: needs one number, or {}",
                                 to_string(p.value("temperature")),
                                 axes == 2 ? "two: of y and of x" : "three: of t, of y and of x"));
}

void check_axes(const Parameters& p) {
    if (!p.has("axes") || p.word("axes").size() == usual_axes(p).size()) return;
    throw UsageError(fmt::format("--axes {}: the axes are {}", p.word("axes"),
                                 p.has("frames") ? "t, y and x" : "y and x; t needs --frames"));
}

Parameters resolve_normalization(Parameters p) {
    for (const char* name : {"scale", "offset", "eps"}) {
        if (p.flag("normalize")) continue;
        if (p.given(name)) {
            throw UsageError(fmt::format("--{} {}: has no effect without --normalize", name,
                                         to_string(p.value(name))));
        }
        p.resolve(name, {});
    }
    return p;
}

/// Sets the parameter `name` to the value that `source` gives. Throws: UsageError if the user gave
/// another value.
void settle(Parameters& p, const char* name, std::int64_t value, std::string_view source) {
    if (p.given(name) && p.integer(name) != value) {
        throw UsageError(fmt::format("--{} {}: must be {}, by {}; leave --{} out", name,
                                     p.integer(name), value, source, name));
    }
    p.resolve(name, value);
}

void check_no_valid(const Parameters& p) {
    if (!p.has("valid")) return;
    throw UsageError("--valid: --mask already says which pixels are valid; give one or the other");
}

Parameters resolve_mask(Parameters p, const Shape& shape) {
    const std::string source = fmt::format("the mask of shape {}", to_string(shape));
    const int rank = shape.rank();
    settle(p, "batch", shape[0], source);
    // Only a mask with four axes gives the number of frames; any other mask applies to every frame.
    if (rank == 4) settle(p, "frames", shape[1], source);
    settle(p, "height", shape[rank - 2], source);
    settle(p, "width", shape[rank - 1], source);
    return p;
}

std::vector<ImageSize> parse_sizes(std::string_view text) {
    std::vector<ImageSize> sizes;
    for (const std::string_view size : fields(text, ',')) {
        const std::size_t by = size.find('x');
        if (by == size.npos) {
            throw UsageError(
                fmt::format("--valid {}: needs HEIGHTxWIDTH of each image, such as 20x30,15x30",
                            text.empty() ? "''" : text));
        }
        sizes.push_back({parse_integer(size.substr(0, by), "--valid"),
                         parse_integer(size.substr(by + 1), "--valid")});
    }
    return sizes;
}

Parameters resolve_valid(Parameters p, const std::vector<ImageSize>& sizes) {
    settle(p, "batch", std::ssize(sizes), "the number of sizes in --valid");
    const std::int64_t height = p.integer("height"), width = p.integer("width");
    for (const ImageSize size : sizes) {
        if (size.height < 0 || size.height > height || size.width < 0 || size.width > width) {
            throw UsageError(fmt::format("--valid {}x{}: must be 0x0 to {}x{}, --height x --width",
                                         size.height, size.width, height, width));
        }
    }
    return p;
}

std::optional<Normalization> normalization_of(const Parameters& p) {
    if (!p.flag("normalize")) return std::nullopt;
    if (!is_exact(p)) {
        for (const char* name : {"offset", "eps", "scale"}) to_float32(name, p.real(name));
    }
    return Normalization{p.real("offset"), p.real("eps"), p.real("scale")};
}

Axis pixel_axis(std::string name, std::string label) {
    return {.kind = AxisKind::pixel, .name = std::move(name), .label = std::move(label)};
}

std::vector<AxisChannels> axes_of(const Parameters& p) {
    const std::string_view usual = usual_axes(p);
    const std::vector<double>& temperatures = p.reals("temperature");
    std::vector<AxisChannels> axes;
    for (const char axis : p.has("axes") ? std::string_view(p.word("axes")) : usual) {
        axes.push_back(
            {axis, temperatures.size() == 1 ? temperatures[0] : temperatures[usual.find(axis)]});
    }
    return axes;
}

Plan plan(Parameters p, std::string_view) {
    check_features(p);
    check_pairs(p.word("layout") == "halves", p.word("pairing") == "per-channel");
    p = resolve_normalization(std::move(p));
    std::optional<Table> mask;
    std::vector<ImageSize> valid;
    if (p.has("mask")) {
        check_no_valid(p);
        mask = open_mask(p.word("mask"));
        p = resolve_mask(std::move(p), mask->shape);
    } else if (p.has("valid")) {
        valid = parse_sizes(p.word("valid"));
        p = resolve_valid(std::move(p), valid);
    }
    check_temperatures(p);
    check_axes(p);
    const ImageSize size{p.integer("height"), p.integer("width")};
    if (valid.empty()) valid = {size};
    const bool is_video = p.has("frames");
    const Images images{.batch = p.integer("batch"),
                        .size = {is_video ? p.integer("frames") : 1, size},
                        .mask = std::move(mask),
                        .valid = std::move(valid),
                        .features = p.integer("num-pos-feats"),
                        .is_halved = p.word("layout") == "halves",
                        .is_per_channel = p.word("pairing") == "per-channel",
                        .axes = axes_of(p),
                        .normalization = normalization_of(p),
                        .is_exact = is_exact(p)};
    std::vector<std::int64_t> extents{images.batch, images.features * std::ssize(images.axes),
                                      size.height, size.width};
    std::vector<Axis> axes{{.kind = AxisKind::batch, .name = "batch", .label = "Image (batch)"},
                           channel_axis(),
                           pixel_axis("height", "Row of Pixels (height)"),
                           pixel_axis("width", "Pixel of a Row (width)")};
    if (is_video) {
        extents.insert(extents.begin() + 1, images.size.frames);
        axes.insert(axes.begin() + 1, pixel_axis("frames", "Frame"));
    }
    return {.parameters = std::move(p),
            .shape = Shape(std::move(extents)),
            .axes = std::move(axes),
            .make_rows = [images](DType dtype) { return image_rows(images, dtype); },
            .cell = [images](
                        std::span<const std::int64_t> index) { return image_cell(images, index); }};
}

constexpr std::array tables{TableSpec{
    .name = "encoding",
    .summary = "the encoding, (batch, channels, height, width), or (batch, frames, ...)",
    .title = "Positional Encoding (num_pos_feats={num-pos-feats}, height={height}, width={width})",
    .value_label = "Positional Encoding Values",
    .promises = "unique bounded rotation offset spacing"}};

constexpr std::array detr_presets{
    PresetSpec{.name = "bttr",
               .settings = "--axes xy --normalize",
               .summary = "BTTR's images of formulas: x before y",
               .source = "Green-Wood/BTTR, bttr/model/pos_enc.py, ImgPosEnc",
               .note = "Later versions have a frequency for each channel: --pairing per-channel. "
                       "The model has --num-pos-feats 128, and channels last."},
    PresetSpec{.name = "dab-detr",
               .settings = "--temperature 20,20 --normalize",
               .summary = "DAB-DETR: separate temperatures for y and x, both 20",
               .source = "IDEA-Research/DAB-DETR, models/DAB_DETR/position_encoding.py and main.py",
               .note = "The temperatures are pe_temperatureH and pe_temperatureW. The model has "
                       "--num-pos-feats 128. DAB-Deformable-DETR is deformable-detr."},
    PresetSpec{.name = "deformable-detr",
               .settings = "--normalize --offset -0.5",
               .summary = "Deformable DETR, DAB-Deformable-DETR: the middle of each pixel",
               .source = "fundamentalvision/Deformable-DETR, models/position_encoding.py",
               .note = "The class has DETR's name and arguments, but counts from 0.5 when it "
                       "normalizes. In a line of padding that is -0.5 / 1e-6: a position of "
                       "-3 million, whose sines are noise in float32 code; here they are exact. "
                       "The model has --num-pos-feats 128."},
    PresetSpec{
        .name = "dino",
        .aliases = "groundingdino",
        .settings = "--temperature 20,20 --normalize",
        .summary = "DINO, the detector: separate temperatures for y and x, both 20",
        .source = "IDEA-Research/DINO, models/dino/position_encoding.py and "
                  "config/DINO/DINO_4scale.py",
        .note = "Not the vision transformer of the same name. It descends from Deformable DETR but "
                "has no offset. The model has --num-pos-feats 128."},
    PresetSpec{.name = "mask2former",
               .aliases = "maskformer act lerobot gmflow transpose xcit",
               .settings = "--normalize",
               .summary = "Mask2Former; also MaskFormer and DETR's own model",
               .source = "facebookresearch/Mask2Former, "
                         "mask2former/modeling/transformer_decoder/position_encoding.py",
               .note = "DETR's arithmetic; without a mask all pixels are valid. The class does not "
                       "normalize unless told to, the model tells it to. The model has "
                       "--num-pos-feats 128."},
    PresetSpec{.name = "mmdet",
               .settings = "--normalize",
               .summary = "MMDetection's SinePositionalEncoding, as its DETR uses it",
               .source = "open-mmlab/mmdetection, mmdet/models/layers/positional_encoding.py",
               .note =
                   "--num-pos-feats is num_feats, 128 in the configurations. Those of Deformable "
                   "DETR have --offset -0.5, those of DINO --temperature 20. The class itself "
                   "does not normalize unless told to, and takes no notice of scale and offset "
                   "then."},
    PresetSpec{.name = "note0",
               .settings = "--num-pos-feats 64 --temperature 10 --height 20 --width 20",
               .summary = "the example in many DETR tutorials: a picture of 128 x 400",
               .source = "tutorials that plot PositionEmbeddingSine(64, temperature=10) of 20 x 20",
               .note = "Its figure is what they show: viridis, square values, no texts.",
               .figure = "--cmap viridis --aspect equal --ticks indices --figsize 6.4x4.8 "
                         "--no-colorbar --title= --xlabel= --ylabel="},
    PresetSpec{.name = "petr-3d",
               .settings = "--frames 6 --num-pos-feats 128 --layout halves --normalize",
               .summary = "PETR's views: sines before cosines in the channels of an axis",
               .source = "megvii-research/PETR, "
                         "projects/mmdet3d_plugin/models/utils/positional_encoding.py, "
                         "SinePositionalEncoding3D",
               .note = "The code is VisTR's, but for the axis along which sines and cosines are "
                       "stacked. Frames are the views of six cameras. Points are dino-points."},
    PresetSpec{
        .name = "sam2",
        .settings = "--normalize",
        .summary = "SAM 2's image encoder: images without padding",
        .source = "facebookresearch/sam2, sam2/modeling/position_encoding.py",
        .note =
            "Its num_pos_feats is the total and is halved inside: its 256 is --num-pos-feats 128 "
            "here, the 64 of its memory --num-pos-feats 32. It has no mask."},
    PresetSpec{.name = "vistr",
               .aliases = "trackformer",
               .settings = "--frames 36 --num-pos-feats 128 --normalize",
               .summary = "VisTR's videos: the channels of time, of y and of x",
               .source = "Epiphqny/VisTR, models/position_encoding.py, PositionEmbeddingSine",
               .note = "TrackFormer's PositionEmbeddingSine3D is the same with --frames 2 "
                       "--num-pos-feats 96. Position 1 of time is the first frame in which a pixel "
                       "is valid."},
};

}  // namespace

/// Y is the number of valid pixels in column x from the top down to and including (y, x); X is the
/// number in row y from the left. Both are 1 at the first valid pixel; padding does not count.
/// --normalize divides Y by the count at the end of the column and X by the count at the end of the
/// row; in a column of padding Y is ((0 + offset) / (0 + eps)) * scale. --temperature takes one
/// number, or two, for Y and for X. Valid pixels are the whole image, its top left part (--valid),
/// or the pixels that a mask file marks; the file then gives batch, height and width. --frames adds
/// a third axis, T, counted in the same way through the frames of a pixel; its channels come first
/// unless --axes says otherwise.
///
/// Table: encoding (batch, 2 N, height, width), axes (batch, channel, height, width); with --frames
/// (batch, frames, 3 N, height, width). Correctly rounded, with Y and X as the doubles they are,
/// unless --arith float32 rounds at every step. Kept in memory: N values for each different Y and
/// X, 2 N with --pairing per-channel, and four bytes for each pixel of a mask and each axis. More
/// than 2^28 values or pixels are refused.
extern constinit const Encoding detr{
    .name = "detr",
    .summary = "sines and cosines of pixel positions in padded images: DETR and its descendants",
    .formula =
        "PE[b, 2i, y, x]         = sin(Y / temperature^(2i / N))\n"
        "PE[b, 2i + 1, y, x]     = cos(Y / temperature^(2i / N))\n"
        "PE[b, N + 2i, y, x]     = sin(X / temperature^(2i / N))\n"
        "PE[b, N + 2i + 1, y, x] = cos(X / temperature^(2i / N))\n"
        "N = num-pos-feats; Y and X: valid pixels down column x to y and along row y to x,\n"
        "from 1 on; with --normalize (count + offset) / (last + eps) * scale\n"
        "--frames: T likewise, its N channels before those of Y; --axes: another order\n"
        "--layout halves: sines, then cosines, of each axis; --pairing per-channel: channel c of "
        "an\n"
        "axis is divided by temperature^(c / N)",
    .source = "Carion et al. 2020, End-to-End Object Detection with Transformers, arXiv:2005.12872",
    .examples =
        "detr --num-pos-feats 2 --height 2 --width 3\n"
        "detr --height 20 --width 20 --temperature 10 --png detr.png\n"
        "detr --height 25 --width 34 --valid 25x34,20x30 --npy detr.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = detr_presets,
    .plan = plan};

}  // namespace pegen::encodings
