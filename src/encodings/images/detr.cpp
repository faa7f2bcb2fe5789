#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/images/detr_images.h"
#include "encodings/images/detr_presets.h"
#include "encodings/images/detr_recognition.h"
#include "encodings/images/pixel_mask.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/channel_parameters.h"

namespace pegen::encodings {
namespace {

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
        .summary = "ratio of the longest to the shortest wavelength (about); or two, for y and x; "
                   "or three, for t, y and x"},
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
    ParameterSpec{.name = "frames",
                  .aliases = "num-frames depth views",
                  .type = ParameterType::integer,
                  .range = pixel_count,
                  .summary = "frames of a video: a third axis, t [none]",
                  .is_extent = true,
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

/// The axes there are, in the order of --temperature and, unless --axes says otherwise, of their
/// channels.
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
    const int rank = shape.rank();
    settle(p, "batch", shape[0], source);
    // The same mask serves for all frames if it has none of its own.
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

}  // namespace

/// Y is the number of valid pixels in column x from its top to (y, x), that pixel included, X the
/// number in row y from its left: 1 at the first valid pixel; padding does not count. --normalize
/// divides by the count at the end of the column, and along the row; in a column of padding Y is
/// ((0 + offset) / (0 + eps)) * scale. temperature may be two: of Y and of X. The image is all
/// valid, or its top left part (--valid), or what a mask file says, which then gives batch,
/// height and width. --frames adds a third axis, T, counted likewise through the frames of a pixel;
/// its channels come first unless --axes says otherwise.
///
/// Table: encoding (batch, 2 N, height, width), axes (batch, channel, height, width); with --frames
/// (batch, frames, 3 N, height, width). Correctly rounded for Y and X as the doubles they are,
/// unless --arith float32 rounds at every step. Keeps N values for each different Y and X, 2 N with
/// --pairing per-channel, and four bytes for each pixel of a mask and each axis; values and pixels
/// are refused beyond 2^28.
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
    .plan = plan,
    .recognize = recognize_detr};

}  // namespace pegen::encodings
