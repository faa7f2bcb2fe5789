#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/parameters/window.h"
#include "numerics/real_rows.h"

namespace pegen::encodings {
namespace {

using numerics::Real;

constexpr std::array parameters{
    window_height_parameter,
    window_width_parameter,
    window_depth_parameter,
    ParameterSpec{.name = "pretrained-window",
                  .aliases = "pretrained-window-size",
                  .type = ParameterType::text,
                  .default_value = "0",
                  .summary = "window size in pretraining, HxW, DxHxW or N, by which offsets are "
                             "divided; 0 for the present window"},
};

/// The axes of a window, slowest first.
constexpr std::array<const char*, 3> axis_names{"depth", "height", "width"};

/// Returns the number of axes that images do not have: 0 with --depth, else 1.
std::size_t missing_axes(const Parameters& p) { return p.has("depth") ? 0 : 1; }

/// Returns the divisor: the pretrained extent less 1, or the window's own extent less 1 if
/// `pretrained` is 0. Throws: UsageError if the divisor would be 0.
std::int64_t divisor(const char* name, std::int64_t window, std::int64_t pretrained) {
    if (pretrained > 0 ? pretrained > 1 : window > 1) {
        return (pretrained > 0 ? pretrained : window) - 1;
    }
    throw UsageError(
        pretrained > 0
            ? fmt::format("--pretrained-window: its {} of 1 would divide by 1 - 1; use at least 2",
                          name)
            : fmt::format("--{} 1: offsets are divided by {} - 1; use at least 2, or "
                          "--pretrained-window",
                          name, name));
}

/// Returns the divisor of each axis: the extent of the window, or of --pretrained-window, less 1.
std::vector<std::int64_t> divisors_of(const Parameters& p) {
    const std::string& text = p.word("pretrained-window");
    const std::vector<std::string_view> extents = fields(text, 'x');
    const std::size_t axes = axis_names.size() - missing_axes(p);
    if (extents.size() != 1 && extents.size() != axes) {
        refuse(
            "pretrained-window", text,
            axes == 3 ? "must be DxHxW or N, such as 8x12x12" : "must be HxW or N, such as 12x12");
    }
    const auto read = [&](std::string_view extent) {
        const std::int64_t number = parse_integer(extent, "--pretrained-window");
        if (!Range{.lowest = 0, .highest = any_window.highest}.contains(
                static_cast<double>(number))) {
            refuse("pretrained-window", text, "extents must be between 0 and 16384");
        }
        return number;
    };
    std::vector<std::int64_t> divisors;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const char* const name = axis_names[axis + missing_axes(p)];
        divisors.push_back(
            divisor(name, p.integer(name), read(extents[extents.size() == 1 ? 0 : axis])));
    }
    return divisors;
}

/// Returns sign(offset) * log2(1 + 8 |offset| / divisor) / 3.
Real coordinate(std::int64_t offset, std::int64_t divisor) {
    const Real distance = Real(static_cast<double>(std::abs(offset)));
    const Real value =
        log2(Real(1.0) + Real(8.0) * distance / Real(static_cast<double>(divisor))) / Real(3.0);
    return offset < 0 ? -value : value;
}

Plan coordinate_plan(Parameters p) {
    constexpr std::array<const char*, 3> names{"dt", "dy", "dx"};
    constexpr std::array<const char*, 3> labels{"Offset of Frames", "Offset of Rows",
                                                "Offset of Columns"};
    const std::vector<std::int64_t> divisors = divisors_of(p);
    std::vector<std::int64_t> extents;
    std::vector<Axis> axes;
    Axis coordinates{.kind = AxisKind::channel, .name = "coordinate", .label = "Coordinate"};
    for (std::size_t axis = missing_axes(p); axis < names.size(); ++axis) {
        extents.push_back(2 * p.integer(axis_names[axis]) - 1);
        axes.push_back({.kind = AxisKind::pixel, .name = names[axis], .label = labels[axis]});
        coordinates.index_names.emplace_back(names[axis] + 1);
    }
    axes.push_back(coordinates);
    std::vector<std::int64_t> shape = extents;
    shape.push_back(std::ssize(extents));
    return {.parameters = std::move(p),
            .shape = Shape(shape),
            .axes = axes,
            .make_rows = [=](DType dtype) {
                return numerics::real_rows(
                    [=](std::int64_t offset, std::int64_t axis) {
                        const std::int64_t place = index_of(offset, extents)[axis];
                        return coordinate(place - (extents[axis] - 1) / 2, divisors[axis]);
                    },
                    Shape(extents).size(), std::ssize(extents), dtype);
            }};
}

Plan plan(Parameters p, std::string_view table) {
    if (table == "coords") return coordinate_plan(std::move(p));
    const Window window{.height = p.integer("height"),
                        .width = p.integer("width"),
                        .depth = p.has("depth") ? p.integer("depth") : 1};
    return plan_offset_indices(std::move(p), window);
}

constexpr std::array tables{
    TableSpec{.name = "coords",
              .summary = "the coordinates of each offset, (2 height - 1, 2 width - 1, 2), or with "
                         "--depth (2 depth - 1, 2 height - 1, 2 width - 1, 3)",
              .title = "Log-Spaced Coordinates (window {height} \u00d7 {width})",
              .value_label = "Coordinate"},
    TableSpec{.name = "index",
              .summary = "the offset of each pair of tokens, (tokens, tokens), whole numbers",
              .title = "Relative Position Index (window {height} \u00d7 {width})",
              .value_label = "Offset",
              .dtype = DType::int64,
              .promises = "relative"},
};

}  // namespace

/// dy and dx are query - key. P is the extent of --pretrained-window; by default, the window's own
/// h or w.
///
/// Tables: coords (2h - 1, 2w - 1, 2), axes (dy, dx, coordinate): dy from -(h - 1) up, dx from
/// -(w - 1) up, y before x; with --depth D (2D - 1, 2h - 1, 2w - 1, 3), t before y; index (tokens,
/// tokens), axes (query, key), integers, the number of the offset in coords, row by row. Correctly
/// rounded.
extern constinit const Encoding swin_v2{
    .name = "swin-v2",
    .summary = "log-spaced coordinates of the offsets in a window: Swin Transformer V2",
    .formula =
        "coords[dy + h - 1, dx + w - 1] = (s(dy), s(dx)),  s(r) = sign(r) log2(1 + 8 |r| / (P - "
        "1)) "
        "/ 3\n"
        "P: height for dy and width for dx, of --pretrained-window, else h and w\n"
        "index[q, k] = (dy + h - 1) (2w - 1) + dx + w - 1,  (dy, dx) = q - k\n"
        "--depth D: coords[dt + D - 1, dy + h - 1, dx + w - 1] = (s(dt), s(dy), s(dx)),\n"
        "index[q, k] = ((dt + D - 1) (2h - 1) + dy + h - 1) (2w - 1) + dx + w - 1",
    .source = "Liu et al. 2022, Swin Transformer V2, arXiv:2111.09883, section 3.3",
    .examples =
        "swin-v2 --height 2 --width 3\n"
        "swin-v2 --height 8 --width 8 --png coords.png\n"
        "swin-v2 --height 16 --width 16 --pretrained-window 8 --npy coords.npy",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
