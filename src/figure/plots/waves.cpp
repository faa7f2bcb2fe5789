#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "figure/plots/curves.h"
#include "figure/plots/plots.h"
#include "figure/plots/texts.h"
#include "figure/plots/view.h"
#include "figure/traces.h"

namespace pegen {
namespace {

std::vector<std::int64_t> channels_of(const Table& table, const Parameters& parameters) {
    if (!parameters.has("channels")) return default_channels(table.shape.columns());
    const std::vector<std::int64_t>& channels = parameters.integers("channels");
    if (channels.size() > curve_colours.size()) {
        throw UsageError(fmt::format("--channels: {} given, at most {} can be drawn",
                                     channels.size(), curve_colours.size()));
    }
    return channels;
}

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const Table table = table_over_positions(whole, parameters);
    std::vector<Series> curves;
    Limits limits = no_limits;
    const std::vector<Trace> all = traces(table, channels_of(table, parameters),
                                          static_cast<int>(medium.axes_beside_legend.width()));
    for (const Trace& trace : all) {
        curves.push_back({.name = index_name(table.axes[1], trace.channel),
                          .colour = curve_colours[curves.size()],
                          .x = trace.rows,
                          .y = trace.values});
        limits = merge(limits, limits_of(trace.values));
    }
    const auto last = static_cast<double>(table.shape.rows() - 1);
    FigureSpec spec{.x = with_margins(ScaleKind::indices, set_apart({0, last})),
                    .y = with_margins(ScaleKind::values, set_apart(or_any(limits)))};
    spec.x.axis = AxisOfTable{table.axes[0], table.shape.rows()};
    set_texts(spec, parameters, table.title, table.axes[0].label, table.value_label);
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::waves{
    .name = "waves",
    .summary = "some channels as curves against the position",
    .options = "channels",
    .compose = compose,
};

}  // namespace pegen
