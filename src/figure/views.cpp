#include "figure/views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/error.h"

namespace pegen {
namespace {

constexpr std::int64_t most_panels = 64;

/// What is left of a table after indices of its outermost axes have been taken: two axes or more.
struct Part {
    std::vector<std::int64_t> extents;
    std::vector<Axis> axes;
    std::int64_t first_row;  ///< of the table
};

Part whole(const Table& table) {
    Part part{table.shape.extents(), table.axes, 0};
    while (part.extents.size() < 2) part.extents.push_back(1);
    part.axes.resize(part.extents.size());
    return part;
}

Part taken(const Part& part, std::int64_t index) {
    std::vector<std::int64_t> extents(part.extents.begin() + 1, part.extents.end());
    const std::int64_t first_row = part.first_row + index * Shape(extents).rows();
    return {std::move(extents), {part.axes.begin() + 1, part.axes.end()}, first_row};
}

bool leads_with(const Part& part, std::string_view name) {
    return part.axes.size() > 2 && part.axes.front().name == name;
}

Part selected(const Table& table, std::span<const std::int64_t> select) {
    const int leading = std::max(table.shape.rank() - 2, 0);
    if (std::ssize(select) > leading) {
        throw UsageError(fmt::format("--select {}: the table {} has {} leading {} to select from",
                                     fmt::join(select, ","), to_string(table.shape),
                                     leading == 0 ? "no" : std::to_string(leading),
                                     leading == 1 ? "axis" : "axes"));
    }
    Part part = whole(table);
    for (const std::int64_t index : select) {
        const std::int64_t extent = part.extents.front();
        if (index < 0 || index >= extent) {
            throw UsageError(fmt::format("--select {}: {} must be 0 to {}", fmt::join(select, ","),
                                         part.axes.front().name, extent - 1));
        }
        part = taken(part, index);
    }
    return part;
}

Axis merged(std::span<const Axis> axes) {
    if (axes.size() == 1) return axes.front();
    std::string names;
    for (const Axis& axis : axes) names += (names.empty() ? "" : " x ") + axis.name;
    return {.name = names, .label = names};
}

/// The part as a table of two axes. A row of it is one row of the table's, or several.
Table flat(const Part& part, const Table& table, std::shared_ptr<const RowSource> source) {
    const std::size_t axes_of_rows = leads_with(part, "channel") ? 1 : part.axes.size() - 1;
    const std::span axes(part.axes);
    std::int64_t rows = 1, table_rows_per_row = 1;
    for (std::size_t axis = 0; axis + 1 < axes.size(); ++axis) {
        (axis < axes_of_rows ? rows : table_rows_per_row) *= part.extents[axis];
    }
    return {.shape = {rows, table_rows_per_row * part.extents.back()},
            .dtype = table.dtype,
            .axes = {merged(axes.first(axes_of_rows)), merged(axes.subspan(axes_of_rows))},
            .rows =
                [=, first = part.first_row](RowRange range, std::span<std::byte> out) {
                    (*source)({first + range.first * table_rows_per_row,
                               range.count * table_rows_per_row},
                              out);
                },
            .title = table.title,
            .value_label = table.value_label,
            .provenance = table.provenance};
}

/// `indices` are those of the axes around the heads.
void check_panels(const Table& table, std::span<const std::int64_t> indices, std::int64_t heads) {
    if (heads <= most_panels) return;
    throw UsageError(fmt::format(
        "a table of shape {}: {} heads: at most {} panels in one figure; use --select {}{}I",
        to_string(table.shape), heads, most_panels, fmt::join(indices, ","),
        indices.empty() ? "" : ","));
}

}  // namespace

std::vector<View> views_of(const Table& table, std::span<const std::int64_t> select) {
    if (table.shape.size() == 0) {
        throw UsageError(
            fmt::format("a table of shape {}: has no values to draw", to_string(table.shape)));
    }
    Part part = selected(table, select);
    std::vector<std::int64_t> indices(select.begin(), select.end());
    if (leads_with(part, "batch")) {
        part = taken(part, 0);
        indices.push_back(0);
    }
    // A copy of a source may be anything but small.
    const auto source = std::make_shared<const RowSource>(table.rows);
    if (!leads_with(part, "head")) return {{"", flat(part, table, source)}};
    const std::int64_t heads = part.extents.front();
    check_panels(table, indices, heads);
    std::vector<View> views;
    for (std::int64_t head = 0; head < heads; ++head) {
        views.push_back({heads == 1 ? "" : fmt::format("head {}", head),
                         flat(taken(part, head), table, source)});
    }
    return views;
}

}  // namespace pegen
