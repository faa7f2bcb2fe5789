#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"
#include "figure/traces.h"

namespace pegen {
namespace {

std::vector<std::int64_t> channels_of(std::int64_t count, const Parameters& parameters) {
    if (!parameters.has("channels")) return default_channels(count);
    const std::vector<std::int64_t>& channels = parameters.integers("channels");
    if (channels.size() > curve_colours.size()) {
        throw UsageError(fmt::format("--channels: {} given, at most {} can be drawn",
                                     channels.size(), curve_colours.size()));
    }
    check_channels(channels, count);
    return channels;
}

/// The channels to draw, as columns of a table over positions.
struct Shown {
    Table table;
    std::vector<std::int64_t> columns;
    std::vector<std::string> names;  ///< "" for a table of one axis
};

Shown shown(const Table& whole, const Parameters& parameters) {
    const Table table = table_over_positions(whole, parameters);
    if (whole.shape.rank() == 1) return {table, {0}, {""}};
    const bool is_turned = has_channels_first(table);
    std::vector<std::int64_t> channels = channels_of(table.shape[is_turned ? 0 : 1], parameters);
    std::vector<std::string> names;
    for (const std::int64_t channel : channels) {
        const Axis& axis = table.axes[is_turned ? 0 : 1];
        names.push_back(index_name(axis, channel));
    }
    if (!is_turned) return {table, std::move(channels), std::move(names)};
    std::vector<std::int64_t> columns(channels.size());
    std::iota(columns.begin(), columns.end(), 0);
    return {with_channels_last(table, std::move(channels)), std::move(columns), std::move(names)};
}

/// True if dots at `count` points across the axes do not touch.
bool has_room_for_points(std::int64_t count, const Medium& medium) {
    return static_cast<double>(count) * medium.point_width <= medium.axes_alone.width();
}

/// Returns the scale of the values: over frequencies a logarithmic scale, if the limits allow it,
/// as the values are spread over several powers of ten.
ScaleKind scale_of_values(const Table& table, Limits limits) {
    if (is_whole(table)) return ScaleKind::indices;
    const bool is_over_frequencies = table.axes[0].kind == AxisKind::frequency;
    return is_over_frequencies && can_be_logarithmic(limits) ? ScaleKind::powers
                                                             : ScaleKind::values;
}

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const auto [table, columns, names] = shown(whole, parameters);
    const std::int64_t rows = table.shape.rows();
    const bool is_stepped = is_whole(table);
    const bool has_points =
        whole.shape.rank() == 1 && !is_stepped && has_room_for_points(rows, medium);
    std::vector<Series> curves;
    Limits limits = medium.least_limits;
    const int pixels = static_cast<int>(medium.axes_beside_legend.width());
    for (const Trace& trace : traces(table, columns, pixels)) {
        const std::size_t i = curves.size();
        Series series{names[i], curve_colours[i], trace.rows, trace.values, has_points};
        curves.push_back(is_stepped ? stepped(std::move(series)) : std::move(series));
        limits = merge(limits, limits_of(trace.values));
    }
    limits = or_any(limits);
    const double margin = is_stepped ? 0.5 : 0;
    const Limits ends{-margin, static_cast<double>(rows - 1) + margin};
    const ScaleKind along = ScaleKind::indices;
    FigureSpec spec{.x = has_points ? with_margins(along, set_apart(ends))
                                    : scale_along(along, set_apart(ends), medium),
                    .y = with_margins(scale_of_values(table, limits), set_apart(limits))};
    spec.x.axis = AxisOfTable{table.axes[0], rows};
    set_texts(spec, parameters, table.title, table.axes[0].label, table.value_label);
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::waves{
    .name = "waves",
    .summary = "some channels as curves against the position; a table of one axis as its curve",
    .options = "channels",
    .compose = compose,
};

}  // namespace pegen
