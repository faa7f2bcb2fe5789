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
        throw UsageError(fmt::format("--channels: {} of them; one figure tells at most {} apart",
                                     channels.size(), curve_colours.size()));
    }
    return channels;
}

Figure compose(const Table& whole, const Parameters& parameters, const Medium& medium) {
    const Table table = view_of(whole, parameters).table;
    const std::string name = table.axes.size() > 1 ? table.axes[1].name : "value";
    std::vector<Series> curves;
    std::vector<const std::vector<double>*> values;
    const std::vector<Trace> all = traces(table, channels_of(table, parameters),
                                          static_cast<int>(medium.axes_beside_legend.width()));
    for (const Trace& trace : all) {
        curves.push_back({.name = fmt::format("{} {}", name, trace.channel),
                          .colour = curve_colours[curves.size()],
                          .x = trace.positions,
                          .y = trace.values});
        values.push_back(&trace.values);
    }
    const auto last = static_cast<double>(table.shape.rows() - 1);
    FigureSpec spec{.x = with_margins(ScaleKind::indices, set_apart({0, last})),
                    .y = with_margins(ScaleKind::values, set_apart(limits_of(values)))};
    set_texts(spec, parameters, table.title, axis_label(table, 0), table.value_label);
    return compose_curves(std::move(spec), curves, {}, medium);
}

}  // namespace

constinit const Plot plots::waves{
    .name = "waves",
    .summary = "some channels as curves over the position",
    .options = "channels",
    .compose = compose,
};

}  // namespace pegen
