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
    ParameterSpec{.name = "pretrained-window",
                  .aliases = "pretrained-window-size",
                  .type = ParameterType::text,
                  .default_value = "0",
                  .summary = "window size in pretraining, HxW or N, by which offsets are divided; "
                             "0 for the present window"},
};

/// The divisors of the coordinates: the extents of the window, or of --pretrained-window, less 1.
struct Divisors {
    std::int64_t height;
    std::int64_t width;
};

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

Divisors divisors_of(const Parameters& p) {
    const std::string& text = p.word("pretrained-window");
    const std::vector<std::string_view> extents = fields(text, 'x');
    if (extents.size() > 2) refuse("pretrained-window", text, "must be HxW or N, such as 12x12");
    const auto read = [&](std::string_view extent) {
        const std::int64_t number = parse_integer(extent, "--pretrained-window");
        if (!Range{.lowest = 0, .highest = any_window.highest}.contains(
                static_cast<double>(number))) {
            refuse("pretrained-window", text, "extents must be between 0 and 16384");
        }
        return number;
    };
    return {divisor("height", p.integer("height"), read(extents.front())),
            divisor("width", p.integer("width"), read(extents.back()))};
}

/// Returns sign(offset) * log2(1 + 8 |offset| / divisor) / 3.
Real coordinate(std::int64_t offset, std::int64_t divisor) {
    const Real distance = Real(static_cast<double>(std::abs(offset)));
    const Real value =
        log2(Real(1.0) + Real(8.0) * distance / Real(static_cast<double>(divisor))) / Real(3.0);
    return offset < 0 ? -value : value;
}

Axis offset_axis(std::string name, std::string label) {
    return {.kind = AxisKind::pixel, .name = std::move(name), .label = std::move(label)};
}

Plan coordinate_plan(Parameters p, const Window& window) {
    const Divisors divisors = divisors_of(p);
    const std::int64_t rows = 2 * window.height - 1, columns = 2 * window.width - 1;
    return {
        .parameters = std::move(p),
        .shape = {rows, columns, 2},
        .axes = {offset_axis("dy", "Offset of Rows"),
                 offset_axis("dx", "Offset of Columns"),
                 {.kind = AxisKind::channel,
                  .name = "coordinate",
                  .label = "Coordinate",
                  .index_names = {"y", "x"}}},
        .make_rows = [=](DType dtype) {
            return numerics::real_rows(
                [=](std::int64_t offset, std::int64_t axis) {
                    return axis == 0
                               ? coordinate(offset / columns - (window.height - 1), divisors.height)
                               : coordinate(offset % columns - (window.width - 1), divisors.width);
                },
                rows * columns, 2, dtype);
        }};
}

Plan plan(Parameters p, std::string_view table) {
    const Window window{p.integer("height"), p.integer("width")};
    return table == "coords" ? coordinate_plan(std::move(p), window)
                             : plan_offset_indices(std::move(p), window);
}

constexpr std::array tables{
    TableSpec{.name = "coords",
              .summary = "the coordinates of each offset, (2 height - 1, 2 width - 1, 2)",
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
/// -(w - 1) up, y before x; index (tokens, tokens), axes (query, key), integers, the number of the
/// offset in coords, row by row. Correctly rounded.
extern constinit const Encoding swin_v2{
    .name = "swin-v2",
    .summary = "log-spaced coordinates of the offsets in a window: Swin Transformer V2",
    .formula =
        "coords[dy + h - 1, dx + w - 1] = (s(dy), s(dx)),  s(r) = sign(r) log2(1 + 8 |r| / (P - "
        "1)) "
        "/ 3\n"
        "P: height for dy and width for dx, of --pretrained-window, else h and w\n"
        "index[q, k] = (dy + h - 1) (2w - 1) + dx + w - 1,  (dy, dx) = q - k",
    .source = "Liu et al. 2022, Swin Transformer V2, arXiv:2111.09883, section 3.3",
    .examples =
        "swin-v2 --height 2 --width 3\n"
        "swin-v2 --height 8 --width 8 --png coords.png\n"
        "swin-v2 --height 16 --width 16 --pretrained-window 8 --npy coords.npy",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
