#include "encodings/images/detr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
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
                  .summary = "channels of each axis: half of all",
                  .is_extent = true},
    ParameterSpec{
        .name = "temperature",
        .aliases = "base theta",
        .type = ParameterType::reals,
        .default_value = "10000",
        .range = positive,
        .summary = "ratio of the slowest to the fastest wavelength; or two, of y and of x"},
    ParameterSpec{.name = "height",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = pixel_count,
                  .summary = "rows of pixels; a mask says it itself",
                  .is_extent = true},
    ParameterSpec{.name = "width",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = pixel_count,
                  .summary = "pixels of a row; a mask says it itself",
                  .is_extent = true},
    ParameterSpec{.name = "batch",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = any_count,
                  .summary = "images; a mask and --valid say it themselves",
                  .is_extent = true},
    ParameterSpec{.name = "mask",
                  .type = ParameterType::path,
                  .summary = "NPY file: bool (batch, height, width), true where there is padding"},
    ParameterSpec{.name = "valid",
                  .type = ParameterType::text,
                  .summary = "HxW,...: the part of each image that is no padding, at its top left"},
    ParameterSpec{.name = "normalize",
                  .type = ParameterType::flag,
                  .summary = "positions from 0 to scale: (count + offset) / (last + eps) * scale"},
    ParameterSpec{.name = "scale",
                  .default_value = "2*pi",
                  .choices = "2*pi",
                  .summary = "of --normalize: the position of the last valid pixel"},
    ParameterSpec{
        .name = "offset", .default_value = "0", .summary = "of --normalize: added to the count"},
    ParameterSpec{.name = "eps",
                  .default_value = "1e-6",
                  .range = {.lowest = 0},
                  .summary = "of --normalize: added to the last count"},
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
    if (std::holds_alternative<std::string>(p.value("scale"))) {
        p.resolve("scale", 2 * std::numbers::pi);
    }
    return p;
}

/// Sets `name` to what `source` says it is. Throws: UsageError if the user says otherwise.
void settle(Parameters& p, const char* name, std::int64_t value, std::string_view source) {
    if (p.given(name) && p.integer(name) != value) {
        throw UsageError(fmt::format("--{} {}: must be {}, as {} says; leave --{} out", name,
                                     p.integer(name), value, source, name));
    }
    p.resolve(name, value);
}

Parameters resolve_mask(Parameters p) {
    if (p.has("valid")) {
        throw UsageError(
            "--valid: --mask already says which pixels are valid; give one or the other");
    }
    const Shape shape = mask_shape(p.word("mask"));
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
            throw UsageError(fmt::format(
                "--valid '{}': needs HEIGHTxWIDTH of each image, such as 20x30,15x30", text));
        }
        sizes.push_back({parse_integer(size.substr(0, by), "--valid"),
                         parse_integer(size.substr(by + 1), "--valid")});
    }
    return sizes;
}

Parameters resolve_valid(Parameters p) {
    const std::vector<ImageSize> sizes = parse_sizes(p.word("valid"));
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

Parameters resolve(Parameters p) {
    check_features(p);
    check_temperatures(p);
    p = resolve_normalization(std::move(p));
    if (p.has("mask")) return resolve_mask(std::move(p));
    if (p.has("valid")) return resolve_valid(std::move(p));
    return p;
}

Shape shape(const Parameters& p) {
    return {p.integer("batch"), 2 * p.integer("num-pos-feats"), p.integer("height"),
            p.integer("width")};
}

/// Y or X of a pixel with --normalize, in the order of operations that the contract says.
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

void check_size(const ValidCounts& counts, std::int64_t features) {
    if (counts.size <= most_kept_values / features) return;
    throw UsageError(
        fmt::format("--num-pos-feats {}: {} different positions with so many channels are more "
                    "than the 2^28 values that are kept; use fewer channels or smaller images",
                    features, counts.size));
}

/// By number.
Positions positions_of(const Parameters& p, const ValidCounts& counts) {
    if (!p.flag("normalize")) return Positions(0, 1, counts.size);
    const Normalization normalization{p.real("offset"), p.real("eps"), p.real("scale")};
    std::vector<double> positions;
    for (const auto& [last, first] : counts.first_number) {
        for (std::int64_t count = 0; count <= last; ++count) {
            positions.push_back(normalization.position(count, last));
        }
    }
    return Positions(std::move(positions));
}

/// The channels of y, or those of x.
struct Block {
    ValidCounts counts;
    rows::GatheredWaves waves;
};

Block make_block(const Parameters& p, ValidCounts counts, double temperature, DType dtype) {
    const std::int64_t features = p.integer("num-pos-feats");
    check_size(counts, features);
    const Positions positions = positions_of(p, counts);
    const Frequencies omega({.base = temperature,
                             .step = 2,
                             .width = features,
                             .shift = 0,
                             .scale = 1,
                             .count = features / 2});
    check_angles(positions, omega, "--temperature, --scale, --offset, --eps");
    return {std::move(counts), rows::gathered_waves(positions, omega, dtype)};
}

std::array<ValidCounts, 2> counts_of(const Parameters& p) {
    const Dependence dependence =
        p.flag("normalize") ? Dependence::on_count_and_last : Dependence::on_count;
    if (p.has("mask")) {
        const PixelMask mask = read_mask(p.word("mask"));
        if (mask.shape != Shape{p.integer("batch"), p.integer("height"), p.integer("width")}) {
            throw FileError(p.word("mask"), "cannot read: it changed while it was read");
        }
        return {count_valid(mask, Direction::down, dependence),
                count_valid(mask, Direction::across, dependence)};
    }
    const ImageSize whole{p.integer("height"), p.integer("width")};
    const std::vector<ImageSize> valid =
        p.has("valid") ? parse_sizes(p.word("valid")) : std::vector{whole};
    return {count_valid(valid, whole, Direction::down, dependence),
            count_valid(valid, whole, Direction::across, dependence)};
}

RowSource rows(const Parameters& p, DType dtype) {
    auto [down, across] = counts_of(p);
    const std::vector<double>& temperatures = p.reals("temperature");
    const auto blocks = std::make_shared<const std::array<Block, 2>>(
        std::array<Block, 2>{make_block(p, std::move(down), temperatures.front(), dtype),
                             make_block(p, std::move(across), temperatures.back(), dtype)});
    const std::int64_t features = p.integer("num-pos-feats");
    const std::int64_t height = p.integer("height");
    const auto width = static_cast<std::size_t>(p.integer("width"));
    return [=, bytes = width * info(dtype).size](RowRange range, std::span<std::byte> out) {
        std::vector<std::uint32_t> numbers(width);
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t y = (range.first + i) % height;
            const std::int64_t channel = (range.first + i) / height % (2 * features);
            const std::int64_t image = (range.first + i) / height / (2 * features);
            const Block& block = (*blocks)[channel < features ? 0 : 1];
            block.counts.row(image, y, numbers);
            rows::gather(block.waves, channel % features, numbers,
                         out.subspan(static_cast<std::size_t>(i) * bytes, bytes));
        }
    };
}

constexpr std::array axes{AxisSpec{AxisKind::batch, "batch", "Image(batch)"},
                          AxisSpec{AxisKind::channel, "channel", "Embedding Dimension(d_model)"},
                          AxisSpec{AxisKind::pixel, "height", "Row of Pixels(height)"},
                          AxisSpec{AxisKind::pixel, "width", "Pixel of a Row(width)"}};

constexpr std::array tables{TableSpec{
    .name = "encoding",
    .summary = "the encoding, (batch, 2 num-pos-feats, height, width)",
    .axes = axes,
    .title = "Positional Encoding (num_pos_feats={num-pos-feats}, height={height}, width={width})",
    .value_label = "Positional Encoding Values",
    .shape = shape,
    .rows = rows}};

}  // namespace

constinit const Encoding detr{
    .name = "detr",
    .summary = "sines of the pixels of images with padding: DETR and its descendants",
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
    .resolve = resolve};

}  // namespace pegen::encodings
