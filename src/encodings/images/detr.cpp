#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/encoding.h"
#include "encodings/images/detr_presets.h"
#include "encodings/images/detr_recognition.h"
#include "encodings/images/pixel_mask.h"
#include "encodings/images/valid_counts.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "rows/gathered_waves.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;

constexpr std::int64_t most_kept_values = std::int64_t{1} << 28;
constexpr Range pixel_count{.lowest = 1, .highest = most_kept_values};

constexpr std::array parameters{
    ParameterSpec{.name = "num-pos-feats",
                  .aliases = "num-feats",
                  .type = ParameterType::integer,
                  .default_value = "64",
                  .range = any_channel_count,
                  .summary = "channels per axis, half of all channels",
                  .is_extent = true},
    ParameterSpec{
        .name = "temperature",
        .aliases = "base theta",
        .type = ParameterType::reals,
        .default_value = "10000",
        .range = positive,
        .summary = "ratio of the longest to the shortest wavelength (about); or two, for y and x"},
    ParameterSpec{.name = "height",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = pixel_count,
                  .summary = "rows of pixels (implied by --mask)",
                  .is_extent = true},
    ParameterSpec{.name = "width",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = pixel_count,
                  .summary = "pixels per row (implied by --mask)",
                  .is_extent = true},
    ParameterSpec{.name = "batch",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = any_count,
                  .summary = "number of images (implied by --mask and --valid)",
                  .is_extent = true},
    ParameterSpec{.name = "mask",
                  .type = ParameterType::path,
                  .summary = "NPY file: bool (batch, height, width), true for padding"},
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
};

void check_features(const Parameters& p) {
    const std::int64_t n = p.integer("num-pos-feats");
    if (n % 2 == 0) return;
    const std::string less = n > 1 ? fmt::format("{} or ", n - 1) : "";
    throw UsageError(fmt::format(
        "--num-pos-feats {}: must be even, a sin and a cos for each frequency; use {}{}", n, less,
        n + 1));
}

void check_temperatures(const Parameters& p) {
    if (p.reals("temperature").size() <= 2) return;
    throw UsageError(fmt::format("--temperature {}: needs one number, or two: of y and of x",
                                 to_string(p.value("temperature"))));
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

/// Sets parameter `name` to the value that `source` gives. Throws: UsageError if the user says
/// otherwise.
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
    settle(p, "batch", shape[0], source);
    settle(p, "height", shape[1], source);
    settle(p, "width", shape[2], source);
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

/// Computes Y or X of a pixel with --normalize. Each operation is one of doubles, rounded once, in
/// this order.
struct Normalization {
    double offset;
    double eps;
    double scale;

    double position(std::int64_t count, std::int64_t last) const {
        const double result =
            (static_cast<double>(count) + offset) / (static_cast<double>(last) + eps) * scale;
        if (std::isfinite(result)) return result;
        throw UsageError(fmt::format(
            "--eps {}: the position (({} + {}) / ({} + {})) * {} is not finite; use a larger --eps",
            shortest(eps), count, shortest(offset), last, shortest(eps), shortest(scale)));
    }
};

std::optional<Normalization> normalization_of(const Parameters& p) {
    if (!p.flag("normalize")) return std::nullopt;
    return Normalization{p.real("offset"), p.real("eps"), p.real("scale")};
}

void check_size(const ValidCounts& counts, std::int64_t features) {
    if (counts.size <= most_kept_values / features) return;
    throw UsageError(
        fmt::format("--num-pos-feats {}: {} different positions with so many channels are more "
                    "than the 2^28 values that are kept; use fewer channels or smaller images",
                    features, counts.size));
}

/// What the parameters say of the images and their channels.
struct Images {
    std::int64_t batch;
    ImageSize size;
    std::optional<Table> mask;           ///< opened
    std::vector<ImageSize> valid;        ///< without a mask: the part of each image, or of all
    std::int64_t features;               ///< of each axis
    std::array<double, 2> temperatures;  ///< of y and of x
    std::optional<Normalization> normalization;
};

/// Returns the positions of the pixels by their numbers.
Positions positions_of(const Images& images, const ValidCounts& counts) {
    if (!images.normalization) return Positions(0, 1, counts.size);
    std::vector<double> positions;
    for (const auto& [last, first] : counts.first_number) {
        for (std::int64_t count = 0; count <= last; ++count) {
            positions.push_back(images.normalization->position(count, last));
        }
    }
    return Positions(std::move(positions));
}

/// The channels of y, or those of x.
struct Block {
    ValidCounts counts;
    rows::GatheredWaves waves;
};

Block make_block(const Images& images, ValidCounts counts, double temperature, DType dtype) {
    check_size(counts, images.features);
    const Positions positions = positions_of(images, counts);
    const Frequencies omega({.base = temperature,
                             .step = 2,
                             .width = images.features,
                             .shift = 0,
                             .scale = 1,
                             .count = images.features / 2});
    check_angles(positions, omega, "--temperature, --scale, --offset, --eps");
    return {std::move(counts), rows::gathered_waves(positions, omega, dtype)};
}

std::array<ValidCounts, 2> counts_of(const Images& images) {
    const Dependence dependence =
        images.normalization ? Dependence::on_count_and_last : Dependence::on_count;
    if (images.mask) {
        const PixelMask mask = read_mask(*images.mask);
        return {count_valid(mask, Direction::down, dependence),
                count_valid(mask, Direction::across, dependence)};
    }
    return {count_valid(images.valid, images.size, Direction::down, dependence),
            count_valid(images.valid, images.size, Direction::across, dependence)};
}

RowSource image_rows(const Images& images, DType dtype) {
    auto [down, across] = counts_of(images);
    const auto [of_y, of_x] = images.temperatures;
    const auto blocks = std::make_shared<const std::array<Block, 2>>(
        std::array<Block, 2>{make_block(images, std::move(down), of_y, dtype),
                             make_block(images, std::move(across), of_x, dtype)});
    const std::int64_t features = images.features, height = images.size.height;
    const std::size_t width = to_size(images.size.width);
    return [=, bytes = width * info(dtype).size](RowRange range, std::span<std::byte> out) {
        std::vector<std::uint32_t> numbers(width);
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t y = (range.first + i) % height;
            const std::int64_t channel = (range.first + i) / height % (2 * features);
            const std::int64_t image = (range.first + i) / height / (2 * features);
            const Block& block = (*blocks)[channel < features ? 0 : 1];
            block.counts.row(image, y, numbers);
            rows::gather(block.waves, channel % features, numbers,
                         out.subspan(to_size(i) * bytes, bytes));
        }
    };
}

Axis pixel_axis(std::string name, std::string label) {
    return {.kind = AxisKind::pixel, .name = std::move(name), .label = std::move(label)};
}

Plan plan(Parameters p, std::string_view) {
    check_features(p);
    check_temperatures(p);
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
    const ImageSize size{p.integer("height"), p.integer("width")};
    if (valid.empty()) valid = {size};
    const std::vector<double>& temperatures = p.reals("temperature");
    const Images images{.batch = p.integer("batch"),
                        .size = size,
                        .mask = std::move(mask),
                        .valid = std::move(valid),
                        .features = p.integer("num-pos-feats"),
                        .temperatures = {temperatures.front(), temperatures.back()},
                        .normalization = normalization_of(p)};
    return {
        .parameters = std::move(p),
        .shape = {images.batch, 2 * images.features, size.height, size.width},
        .axes = {{.kind = AxisKind::batch, .name = "batch", .label = "Image (batch)"},
                 channel_axis(),
                 pixel_axis("height", "Row of Pixels (height)"),
                 pixel_axis("width", "Pixel of a Row (width)")},
        .make_rows = [images](DType dtype, const Progress&) { return image_rows(images, dtype); }};
}

constexpr std::array tables{TableSpec{
    .name = "encoding",
    .summary = "the encoding, (batch, 2 num-pos-feats, height, width)",
    .title = "Positional Encoding (num_pos_feats={num-pos-feats}, height={height}, width={width})",
    .value_label = "Positional Encoding Values",
    .promises = "unique bounded rotation offset spacing"}};

}  // namespace

/// Y is the number of valid pixels in column x from its top to (y, x), that pixel included, X the
/// number in row y from its left: 1 at the first valid pixel; padding does not count. --normalize
/// divides by the count at the end of the column, and along the row; in a column of padding Y is
/// ((0 + offset) / (0 + eps)) * scale. temperature may be two: of Y and of X. The image is all
/// valid, or its top left part (--valid), or what a mask file says, which then gives batch,
/// height and width.
///
/// Table: encoding (batch, 2 N, height, width), axes (batch, channel, height, width). Correctly
/// rounded for Y and X as the doubles they are. Keeps N values for each different Y and X, and
/// eight bytes for each pixel of a mask; both are refused beyond 2^28.
extern constinit const Encoding detr{
    .name = "detr",
    .summary = "sines and cosines of pixel positions in padded images: DETR and its descendants",
    .formula =
        "PE[b, 2i, y, x]         = sin(Y / temperature^(2i / N))\n"
        "PE[b, 2i + 1, y, x]     = cos(Y / temperature^(2i / N))\n"
        "PE[b, N + 2i, y, x]     = sin(X / temperature^(2i / N))\n"
        "PE[b, N + 2i + 1, y, x] = cos(X / temperature^(2i / N))\n"
        "N = num-pos-feats; Y and X: valid pixels down column x to y and along row y to x,\n"
        "from 1 on; with --normalize (count + offset) / (last + eps) * scale",
    .source = "Carion et al. 2020, End-to-End Object Detection with Transformers, arXiv:2005.12872",
    .examples =
        "detr --num-pos-feats 2 --height 2 --width 3\n"
        "detr --height 20 --width 20 --temperature 10 --png detr.png\n"
        "detr --height 25 --width 34 --valid 25x34,20x30 --npy detr.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = detr_presets,
    .plan = plan,
    .recognize = recognize_detr};

}  // namespace pegen::encodings
