#include "inspect/position_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace pegen {
namespace {

using Channel = std::vector<double>;

std::int64_t product(std::span<const std::int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// Returns `value` without the sign of a zero and the payload of a NaN, so that equal values have
/// equal bits.
double normalized(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0;
}

/// Reorders grids of `rows` x `columns` points from columns first to rows first. Each point has
/// `inner` values.
Channel by_rows(const Channel& channel, std::size_t rows, std::size_t columns, std::size_t inner) {
    Channel result(channel.size());
    const std::size_t size = rows * columns * inner;
    for (std::size_t i = 0; i < channel.size(); ++i) {
        const std::size_t grid = i / size * size, point = i % size / inner;
        const std::size_t row = point % rows, column = point / rows;
        result[grid + (row * columns + column) * inner + i % inner] = channel[i];
    }
    return result;
}

/// Returns the number of the axis of channels; nothing if the table has one channel.
std::optional<int> channel_axis_of(const Table& table) {
    if (const auto axis = find_axis(table.axes, AxisKind::channel)) return axis;
    if (table.shape.rank() < 2) return std::nullopt;
    return table.shape.rank() - 1;
}

/// An axis of positions in the order of the table.
struct ListedAxis {
    Axis axis;
    std::int64_t extent;
    std::int64_t stride;  ///< positions from one index to the next
};

std::vector<ListedAxis> listed_axes(const Table& table, std::optional<int> channel_axis) {
    std::vector<ListedAxis> axes;
    std::int64_t stride = 1;
    for (int axis = table.shape.rank() - 1; axis >= 0; --axis) {
        if (axis == channel_axis) continue;
        axes.push_back({table.axes[axis], table.shape[axis], stride});
        stride *= table.shape[axis];
    }
    std::ranges::reverse(axes);
    return axes;
}

/// True unless the index belongs to a row before the first position of an axis.
bool is_position(std::int64_t listed, const std::vector<ListedAxis>& axes) {
    return std::ranges::all_of(axes, [&](const ListedAxis& each) {
        return each.axis.rows_before == 0 ||
               listed / each.stride % each.extent >= each.axis.rows_before;
    });
}

/// Returns the values of each channel at the positions, in the order of the table.
std::vector<Channel> listed_channels(const Table& table, std::optional<int> channel_axis,
                                     const std::vector<ListedAxis>& axes) {
    const std::span extents(table.shape.extents());
    const auto count = channel_axis ? extents[*channel_axis] : 1;
    const auto inner = channel_axis ? product(extents.subspan(*channel_axis + 1)) : 1;
    std::vector<Channel> channels(count);
    const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
    for (std::int64_t i = 0; i < std::ssize(values); ++i) {
        const std::int64_t listed = i / (count * inner) * inner + i % inner;
        if (!is_position(listed, axes)) continue;
        channels[i / inner % count].push_back(normalized(values[i]));
    }
    return channels;
}

/// Appends an axis of the table or, if it counts the points of a grid, the axes of the grid.
void append_axis(PositionTable& table, const ListedAxis& listed) {
    const Axis& axis = listed.axis;
    if (axis.kind == AxisKind::batch && listed.extent == 1) return;
    if (axis.extents.empty()) {
        table.extents.push_back(listed.extent - axis.rows_before);
        table.axes.push_back(axis);
        return;
    }
    assert(product(axis.extents) == listed.extent - axis.rows_before);
    table.extents.insert(table.extents.end(), axis.extents.begin(), axis.extents.end());
    table.axes.insert(table.axes.end(), axis.extents.size(), Axis{.kind = AxisKind::pixel});
    if (!axis.is_by_columns) return;
    table.is_by_columns = true;
    const std::size_t rows = *(axis.extents.end() - 2), columns = axis.extents.back();
    for (Channel& channel : table.channels) {
        channel = by_rows(channel, rows, columns, channel.size() / table.positions());
    }
}

}  // namespace

std::int64_t PositionTable::positions() const { return product(extents); }

PositionTable flattened(PositionTable table) {
    table.extents = {table.positions()};
    table.axes = {Axis{.kind = AxisKind::position}};
    return table;
}

PositionTable read_positions(const Table& table) {
    const std::optional<int> channel_axis = channel_axis_of(table);
    const std::vector<ListedAxis> axes = listed_axes(table, channel_axis);
    PositionTable result{.extents = {},
                         .channels = listed_channels(table, channel_axis, axes),
                         .axes = {},
                         .channel_axis = channel_axis ? table.axes[*channel_axis] : Axis{}};
    for (const ListedAxis& axis : axes) append_axis(result, axis);
    return result.extents.empty() ? flattened(std::move(result)) : result;
}

bool is_shifted_along(const Axis& axis) {
    return axis.kind != AxisKind::batch && axis.kind != AxisKind::head &&
           axis.kind != AxisKind::function;
}

}  // namespace pegen
