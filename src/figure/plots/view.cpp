#include "figure/plots/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace pegen {
namespace {

/// True if the indices of the axis are positions of a sequence or an image, or may be.
bool may_be_positions(const Axis& axis) {
    switch (axis.kind) {
        case AxisKind::other:
        case AxisKind::position:
        case AxisKind::point:
        case AxisKind::pixel:
        case AxisKind::query:
        case AxisKind::key:
            return true;
        case AxisKind::channel:
        case AxisKind::frequency:
        case AxisKind::batch:
        case AxisKind::head:
        case AxisKind::function:
            break;
    }
    return false;
}

/// Throws: UsageError if a row is no vector of channels but the values of a position for others.
void check_columns(const Axis& axis) {
    if (axis.kind != AxisKind::query && axis.kind != AxisKind::key) return;
    throw UsageError(
        "a table over queries and keys: its values depend on pairs of positions, and this figure "
        "is over positions; use --plot heatmap or --plot steps");
}

}  // namespace

std::vector<View> selected_views(const Table& table, const Parameters& parameters) {
    if (!parameters.has("select")) return views_of(table, {});
    return views_of(table, parameters.integers("select"));
}

Table table_over_positions(const Table& table, const Parameters& parameters) {
    std::vector<View> views = selected_views(table, parameters);
    if (views.size() > 1) {
        throw UsageError(
            fmt::format("a table of shape {}: is {} panels, and this figure is of "
                        "one; choose it with --select",
                        to_string(table.shape), views.size()));
    }
    View& view = views.front();
    const auto axis = std::ranges::find_if_not(view.merged_into_rows, may_be_positions);
    if (view.merged_into_rows.size() > 1 && axis != view.merged_into_rows.end()) {
        throw UsageError(fmt::format(
            "a table of shape {}: its rows are {}, and this figure is over positions, which {} "
            "does not count; choose with --select",
            to_string(table.shape), view.table.axes.front().name, axis->name));
    }
    check_columns(view.table.axes.back());
    return std::move(view.table);
}

}  // namespace pegen
