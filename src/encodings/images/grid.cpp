#include "encodings/images/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "core/error.h"
#include "core/number.h"
#include "encodings/images/grid_axes.h"
#include "encodings/images/grid_split.h"
#include "encodings/parameters/channel_parameters.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/formula_text.h"
#include "encodings/parameters/position_parameters.h"
#include "numerics/sinusoid.h"
#include "rows/grid_rows.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Frequencies;
using numerics::Function;

constexpr std::array parameters{
    height_parameter,
    width_parameter,
    depth_parameter,
    d_parameter,
    ParameterSpec{.name = "base",
                  .aliases = "temperature theta rope-theta max-wavelength max-period max-timescale",
                  .type = ParameterType::reals,
                  .default_value = "10000",
                  .range = positive,
                  .summary = "ratio of the slowest to the fastest wavelength, or one per axis"},
    order_parameter,
    axes_parameter,
    first_parameter,
    ParameterSpec{.name = "denom-shift",
                  .default_value = "0",
                  .summary = "taken from an axis's channels in the exponent's denominator: 0 or 2"},
    ParameterSpec{.name = "odd",
                  .type = ParameterType::word,
                  .default_value = "error",
                  .choices = "error zero-pad round-up",
                  .summary = "what to do with an odd number of channels for an axis"},
    ParameterSpec{.name = "start",
                  .aliases = "start-index offset",
                  .type = ParameterType::reals,
                  .default_value = "0",
                  .range = any_position,
                  .summary = "the first position, or one per axis"},
    ParameterSpec{.name = "step",
                  .type = ParameterType::reals,
                  .default_value = "1",
                  .range = any_position,
                  .summary = "from one position to the next, or one per axis"},
    ParameterSpec{.name = "split",
                  .type = ParameterType::text,
                  .default_value = "equal",
                  .summary = "channels of each axis: equal, or 32,16,16, or 1/2,1/4,1/4 of d"},
    ParameterSpec{.name = "tokens",
                  .type = ParameterType::word,
                  .default_value = "row",
                  .choices = "row column",
                  .summary = "tokens go along rows, or down columns"},
    ParameterSpec{.name = "view",
                  .type = ParameterType::word,
                  .default_value = "tokens",
                  .choices = "tokens grid channels-first",
                  .summary = "shape: (tokens, d), (height, width, d) or (d, height, width)"},
    prefix_rows_parameter,
    freq_scale_parameter,
    ParameterSpec{.name = "out-scale", .default_value = "1", .summary = "multiplies every value"},
};

/// Of a list that has one number for all axes or one for each.
double of_axis(const Parameters& p, std::string_view name, char axis) {
    const std::vector<double>& list = p.reals(name);
    return list.size() == 1 ? list.front() : list[axes_of(p).find(axis)];
}

/// In the order of axes_of.
std::vector<std::int64_t> channels_by_axis(const Parameters& p) {
    return channels_of_axes(
        {p.word("split"), p.word("odd"), p.integer("d"), std::ssize(axes_of(p))});
}

bool is_tokens(const Parameters& p) { return p.word("view") == "tokens"; }

Positions positions(const Parameters& p, char axis) {
    return {of_axis(p, "start", axis), of_axis(p, "step", axis), extent(p, axis)};
}

/// `channels` are those of the axis.
Frequencies frequencies(const Parameters& p, char axis, std::int64_t channels) {
    return Frequencies({.base = of_axis(p, "base", axis),
                        .step = 2,
                        .width = channels,
                        .shift = p.real("denom-shift"),
                        .scale = p.real("freq-scale"),
                        .count = channels / 2});
}

/// Where the channels of the axis stand among those of all axes. `channels` are in the order of
/// axes_of.
ChannelLayout layout(const Parameters& p, char axis, const std::vector<std::int64_t>& channels) {
    const std::string& blocks = p.word("axes");
    const std::string& order = p.word("order");
    const auto channels_of = [&](char a) { return channels[axes_of(p).find(a)]; };
    const std::int64_t pairs = channels_of(axis) / 2;
    const auto step = [&](char digit) { return stride(order, digit, std::ssize(blocks), pairs); };
    std::int64_t first = 0;
    for (const char before : blocks.substr(0, blocks.find(axis))) {
        first += order.front() == 'a' ? channels_of(before) : step('a');
    }
    // What round-up has too much is left out at the end.
    return numerics::strided(p.integer("d"), first, {step('k'), step('f')}, pairs,
                             p.word("first") == "sin" ? Function::sin : Function::cos);
}

void check_lists(const Parameters& p) {
    const std::string_view axes = axes_of(p);
    for (const std::string_view name : {"base", "start", "step"}) {
        const std::size_t size = p.reals(name).size();
        if (size == 1 || size == axes.size()) continue;
        throw UsageError(fmt::format("--{} {}: must be one number, or {}, for {}height and width",
                                     name, to_string(p.value(name)), axes.size(),
                                     axes.size() == 3 ? "depth, " : ""));
    }
}

void check_channels(const Parameters& p) {
    const std::vector<std::int64_t> channels = channels_by_axis(p);
    const bool are_equal =
        std::ranges::adjacent_find(channels, std::not_equal_to()) == channels.end();
    if (p.word("order").front() != 'a' && !are_equal) {
        throw UsageError(
            fmt::format("--order {}: needs as many channels for each axis; use an order that "
                        "begins with a, or --split equal",
                        p.word("order")));
    }
    const double shift = p.real("denom-shift");
    for (const std::int64_t count : channels) {
        if (count <= 2 || static_cast<double>(count) > shift) continue;
        throw UsageError(
            fmt::format("--denom-shift {}: must be less than {}, the channels of an axis",
                        shortest(shift), count));
    }
}

void check_view(const Parameters& p) {
    const std::string& view = p.word("view");
    if (is_tokens(p)) return;
    if (p.word("tokens") == "column") {
        throw UsageError(fmt::format(
            "--tokens column: --view {} has no order of tokens; use --tokens row", view));
    }
    if (p.integer("prefix-rows") > 0) {
        throw UsageError(fmt::format("--prefix-rows {}: --view {} has no rows in front; use 0",
                                     p.integer("prefix-rows"), view));
    }
    // A channel is made along a whole axis there.
    constexpr std::int64_t longest = 1 << 20;
    for (const char axis : axes_of(p)) {
        if (view == "grid" || extent(p, axis) <= longest) continue;
        throw UsageError(
            fmt::format("--{} {}: must be at most {} with --view channels-first; use --view grid",
                        extent_name(axis), extent(p, axis), longest));
    }
}

void check_extents(const Parameters& p) {
    for (const char axis : axes_of(p)) {
        check_last_position(extent_name(axis), of_axis(p, "start", axis), of_axis(p, "step", axis),
                            extent(p, axis));
    }
}

Parameters resolve(Parameters p) {
    p = resolve_freq_scale(resolve_axes(std::move(p)));
    check_lists(p);
    check_channels(p);
    check_view(p);
    check_extents(p);
    return p;
}

Shape shape(const Parameters& p) {
    const std::int64_t d = p.integer("d");
    if (is_tokens(p)) return {p.integer("prefix-rows") + point_count(p), d};
    std::vector<std::int64_t> extents;
    for (const char axis : axes_of(p)) extents.push_back(extent(p, axis));
    extents.insert(p.word("view") == "grid" ? extents.end() : extents.begin(), d);
    return Shape(std::move(extents));
}

/// The table of an axis: a row for each index, all channels, those of other axes zero.
rows::GridAxis axis_of(const Parameters& p, char axis, const std::vector<std::int64_t>& channels,
                       DType dtype) {
    const Positions at = positions(p, axis);
    const Frequencies omega = frequencies(p, axis, channels[axes_of(p).find(axis)]);
    check_angles(at, omega, "--base, --freq-scale");
    return {
        numerics::sinusoid_rows(at, omega, layout(p, axis, channels), p.real("out-scale"), dtype),
        at.size()};
}

RowSource rows(const Parameters& p, DType dtype) {
    check_holds(dtype, p.real("out-scale"), "the largest value");
    const std::vector<std::int64_t> channels = channels_by_axis(p);
    std::string slowest_first(axes_of(p));
    if (p.word("tokens") == "column") std::swap(slowest_first.back(), *(slowest_first.end() - 2));
    std::vector<rows::GridAxis> axes;
    for (const char axis : slowest_first) axes.push_back(axis_of(p, axis, channels, dtype));
    const std::int64_t d = p.integer("d");
    if (p.word("view") == "channels-first") return rows::channel_rows(axes, d, dtype);
    return with_zero_rows_before(rows::point_rows(axes, d, dtype), p.integer("prefix-rows"),
                                 d * static_cast<std::int64_t>(info(dtype).size));
}

std::string formula_of(const Parameters& p) {
    const auto number = [&](std::string_view name) {
        const std::string text = to_string(p.value(name));
        return text.find(',') == text.npos ? text : fmt::format("{}_a", name);
    };
    std::string position = progression_text(number("start"), number("step"), "i_a");
    if (position != "i_a") position = fmt::format("({})", position);
    const std::string shares = p.word("split") == "equal"
                                   ? fmt::format("d / {} each", axes_of(p).size())
                                   : fmt::format("{} of {}", p.word("split"), axes_of(p));
    return fmt::format(
        "PE[token, (a, k, f)] = {}, f = {}\n"
        "i_a: the token's index on axis a = {}; d_a: the channels of the axis, {}\n"
        "(a, k, f): nested as {}, slowest first\n",
        wave_text(p, "f", {position, "2k", "d_a"}),
        p.word("first") == "sin" ? "sin, cos" : "cos, sin",
        p.has("axes") ? p.word("axes") : std::string(axes_of(p)), shares, p.word("order"));
}

constexpr AxisSpec channel{AxisKind::channel, "channel", "Embedding Dimension(d_model)"};
constexpr AxisSpec depth{AxisKind::pixel, "depth", "Depth"},
    height{AxisKind::pixel, "height", "Height"}, width{AxisKind::pixel, "width", "Width"};
constexpr std::array token_axes{AxisSpec{AxisKind::point, "token", "Token"}, channel};
constexpr std::array grid_axes{depth, height, width, channel};
constexpr std::array channels_first_axes{channel, height, width};
constexpr std::array channels_first_axes_3d{channel, depth, height, width};

std::span<const AxisSpec> table_axes(const Parameters& p) {
    if (is_tokens(p)) return token_axes;
    const bool has_depth = p.has("depth");
    if (p.word("view") == "grid") return std::span(grid_axes).subspan(has_depth ? 0 : 1);
    if (has_depth) return channels_first_axes_3d;
    return channels_first_axes;
}

constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "the encoding, (tokens, d) or as --view says",
              .axes_of = table_axes,
              .title = "Grid Positional Encoding (d_model={d}, height={height}, width={width})",
              .value_label = "Positional Encoding Values",
              .shape = shape,
              .rows = rows}};

}  // namespace

constinit const Encoding grid{
    .name = "grid",
    .summary = "sines and cosines over the rows and columns of an image, or of a video's frames",
    .formula =
        "out-scale * f((start + step * i_a) * freq-scale * base^(-2k / (d_a - denom-shift))),\n"
        "f = sin, cos; i_a: the token's index on axis a; d_a: the channels of the axis, --split;\n"
        "channel: the rank of (a, k, f) in the nesting --order, slowest first",
    .formula_of = formula_of,
    .source = "the sinusoids of Vaswani et al. 2017, arXiv:1706.03762, along each axis of a grid",
    .examples =
        "grid --height 2 --width 3 --d 8\n"
        "grid --height 14 --width 14 --d 64 --png grid.png\n"
        "grid --height 24 --width 32 --d 256 --base 20 --npy grid.npy",
    .parameters = parameters,
    .tables = tables,
    .resolve = resolve};

}  // namespace pegen::encodings
