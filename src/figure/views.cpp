#include "figure/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "rows/arranged.h"

namespace pegen {
namespace {

constexpr std::int64_t most_panels = 128;

/// The part of a table that is left after indices of its outermost axes have been taken; it has two
/// axes or more.
struct Slice {
    std::vector<std::int64_t> extents;
    std::vector<Axis> axes;
    std::int64_t first_row;  ///< its first row in the table
    std::string title;
};

Slice whole(const Table& table) {
    Slice slice{table.shape.extents(), table.axes, 0, table.title};
    while (slice.extents.size() < 2) slice.extents.push_back(1);
    slice.axes.resize(slice.extents.size());
    return slice;
}

Slice taken(const Slice& slice, std::int64_t index) {
    std::vector<std::int64_t> extents(slice.extents.begin() + 1, slice.extents.end());
    const std::int64_t first_row = slice.first_row + index * Shape(extents).rows();
    return {std::move(extents), {slice.axes.begin() + 1, slice.axes.end()}, first_row, slice.title};
}

bool has_leading_axis(const Slice& slice) { return slice.axes.size() > 2; }

bool leads_with(const Slice& slice, AxisKind kind) {
    return has_leading_axis(slice) && slice.axes.front().kind == kind;
}

bool leads_with_panels(const Slice& slice) {
    return has_leading_axis(slice) && is_shown_as_panels(slice.axes.front());
}

/// Returns the slice at `index` of the outermost axis, with the index in its title unless it is the
/// only one.
Slice named(const Slice& slice, std::int64_t index) {
    Slice rest = taken(slice, index);
    if (slice.extents.front() == 1 || slice.title.empty()) return rest;
    rest.title += ", " + index_name(slice.axes.front(), index);
    return rest;
}

Slice selected(const Table& table, std::span<const std::int64_t> select) {
    const int leading = std::max(table.shape.rank() - 2, 0);
    if (std::ssize(select) > leading) {
        throw UsageError(fmt::format("--select {}: the table {} has {} leading {} to select from",
                                     joined(select, ","), to_string(table.shape),
                                     leading == 0 ? "no" : std::to_string(leading),
                                     leading == 1 ? "axis" : "axes"));
    }
    Slice slice = whole(table);
    for (const std::int64_t index : select) {
        const std::int64_t extent = slice.extents.front();
        if (index < 0 || index >= extent) {
            throw UsageError(fmt::format("--select {}: {} must be 0 to {}", joined(select, ","),
                                         slice.axes.front().name, extent - 1));
        }
        slice = named(slice, index);
    }
    return slice;
}

/// Returns axes `first` to `end` - 1 of the slice merged into one.
Axis merged(const Slice& slice, std::size_t first, std::size_t end) {
    const std::span axes = std::span(slice.axes).subspan(first, end - first);
    if (axes.size() == 1) return axes.front();
    Axis all;
    for (const Axis& axis : axes) {
        all.name += (all.name.empty() ? "" : " x ") + axis.name;
        all.label += (all.label.empty() ? "" : " \u00d7 ") + axis.name;
    }
    const bool is_grid = std::ranges::count(axes, AxisKind::pixel, &Axis::kind) == std::ssize(axes);
    if (is_grid) {
        all.kind = AxisKind::point;
        all.is_merged = true;
        const std::span extents = std::span(slice.extents).subspan(first, axes.size());
        all.extents.assign(extents.begin(), extents.end());
    }
    return all;
}

/// Returns axes `first` to `end` - 1 of the slice without axes of one index; empty if they are one
/// axis.
std::vector<Axis> merged_axes(const Slice& slice, std::size_t first, std::size_t end) {
    std::vector<Axis> axes;
    for (std::size_t axis = first; end - first > 1 && axis < end; ++axis) {
        if (slice.extents[axis] > 1) axes.push_back(slice.axes[axis]);
    }
    return axes;
}

/// Returns the slice as a table of two axes. One row of it is one or several rows of the table.
View flat(const Slice& slice, const Table& table) {
    const std::size_t rank = slice.axes.size();
    const std::size_t axes_of_rows = leads_with(slice, AxisKind::channel) ? 1 : rank - 1;
    std::int64_t rows = 1, table_rows_per_row = 1;
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
        (axis < axes_of_rows ? rows : table_rows_per_row) *= slice.extents[axis];
    }
    const std::int64_t columns = table_rows_per_row * slice.extents.back();
    return {.title = "",
            .table = {.shape = {rows, columns},
                      .dtype = table.dtype,
                      .axes = {merged(slice, 0, axes_of_rows), merged(slice, axes_of_rows, rank)},
                      .rows = rows::reshaped(
                          rows::slice(table.rows, {slice.first_row, rows * table_rows_per_row}),
                          columns),
                      .title = slice.title,
                      .value_label = table.value_label,
                      .provenance = table.provenance,
                      .has_whole_values = table.has_whole_values,
                      .has_shares = table.has_shares,
                      .masked_title = table.masked_title},
            .merged_into_rows = merged_axes(slice, 0, axes_of_rows),
            .merged_into_columns = merged_axes(slice, axes_of_rows, rank)};
}

/// The slices at each index of the leading axes that are shown as panels, and their titles.
struct Panels {
    std::vector<Slice> slices;
    std::vector<std::string> titles;
};

/// Checks the number of panels. `indices` are the indices of the axes around the panels, `panels`
/// is like "65 heads".
void check_panels(const Table& table, std::span<const std::int64_t> indices, std::int64_t count,
                  std::string_view panels) {
    if (count <= most_panels) return;
    throw UsageError(
        fmt::format("a table of shape {}: {}: at most {} panels in one figure; use --select {}{}I",
                    to_string(table.shape), panels, most_panels, joined(indices, ","),
                    indices.empty() ? "" : ","));
}

Panels panels_of(const Table& table, const Slice& all, std::span<const std::int64_t> indices) {
    Panels panels{{all}, {""}};
    std::string names;
    while (leads_with_panels(panels.slices.front())) {
        const Axis axis = panels.slices.front().axes.front();
        const std::int64_t count = panels.slices.front().extents.front();
        names += fmt::format("{}{} {}s", names.empty() ? "" : " x ", count, axis.name);
        check_panels(table, indices, count * std::ssize(panels.slices), names);
        Panels inner;
        for (std::size_t i = 0; i < panels.slices.size(); ++i) {
            for (std::int64_t index = 0; index < count; ++index) {
                std::string title = panels.titles[i];
                if (count > 1) title += (title.empty() ? "" : ", ") + index_name(axis, index);
                inner.slices.push_back(taken(panels.slices[i], index));
                inner.titles.push_back(std::move(title));
            }
        }
        panels = std::move(inner);
    }
    return panels;
}

}  // namespace

std::vector<View> views_of(const Table& table, std::span<const std::int64_t> select) {
    if (table.shape.size() == 0) {
        throw UsageError(
            fmt::format("a table of shape {}: has no values to draw", to_string(table.shape)));
    }
    Slice slice = selected(table, select);
    std::vector<std::int64_t> indices(select.begin(), select.end());
    if (leads_with(slice, AxisKind::batch)) {
        slice = named(slice, 0);
        indices.push_back(0);
    }
    const Panels panels = panels_of(table, slice, indices);
    std::vector<View> views;
    for (std::size_t i = 0; i < panels.slices.size(); ++i) {
        views.push_back(flat(panels.slices[i], table));
        views.back().title = panels.titles[i];
    }
    return views;
}

}  // namespace pegen
