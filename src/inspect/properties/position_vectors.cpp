#include "inspect/properties/position_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/names.h"
#include "figure/scale.h"

namespace pegen {
namespace {

enum class AxisRole { group, channel, position, pair };

AxisRole role_of(AxisKind kind, bool is_behind_positions) {
    switch (kind) {
        case AxisKind::position:
        case AxisKind::point:
        case AxisKind::pixel:
            return AxisRole::position;
        case AxisKind::query:
        case AxisKind::key:
            return AxisRole::pair;
        case AxisKind::batch:
        case AxisKind::head:
            return is_behind_positions ? AxisRole::channel : AxisRole::group;
        case AxisKind::channel:
        case AxisKind::frequency:
        case AxisKind::function:
        case AxisKind::other:
            break;
    }
    return AxisRole::channel;
}

/// An axis of a table and its role.
struct RoledAxis {
    Axis axis;
    std::int64_t extent;
    AxisRole role;
};

bool is_file(const Table& table) {
    return std::ranges::all_of(table.axes,
                               [](const Axis& axis) { return axis.kind == AxisKind::other; });
}

/// Returns the axes of an array, whose roles follow from their order.
std::vector<RoledAxis> axes_of_file(const Table& table) {
    std::vector<RoledAxis> axes;
    for (int i = 0; i < table.shape.rank(); ++i) {
        axes.push_back({table.axes[i], table.shape[i], AxisRole::group});
    }
    for (std::size_t i = 0; i < axes.size() && axes.size() > 2;) {
        if (axes[i].extent == 1) {
            axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
            ++i;
        }
    }
    if (axes.empty()) return axes;
    axes.back().role = axes.size() > 1 ? AxisRole::channel : AxisRole::position;
    if (axes.size() > 1) axes[axes.size() - 2].role = AxisRole::position;
    return axes;
}

std::vector<RoledAxis> axes_of(const Table& table) {
    if (is_file(table)) return axes_of_file(table);
    std::vector<RoledAxis> axes;
    bool is_behind_positions = false;
    for (int i = 0; i < table.shape.rank(); ++i) {
        const Axis& axis = table.axes[i];
        axes.push_back({axis, table.shape[i], role_of(axis.kind, is_behind_positions)});
        is_behind_positions |= axes.back().role == AxisRole::position;
    }
    return axes;
}

/// Returns how far a position is at most from start + step * index.
double step_error(const Axis& axis, const Progression& steps) {
    if (!axis.positions || axis.positions->exact_progression()) return 0;
    if (axis.positions->progression()) return axis.positions->largest() * 0x1p-53;
    return 1e-9 * std::fabs(steps.step);  // the deviation that equal_steps() allows in a list
}

PositionAxis position_axis(const RoledAxis& axis) {
    PositionAxis result{axis.axis.name.empty() ? "row" : axis.axis.name,
                        axis.extent - axis.axis.rows_before, 1};
    if (const auto steps = equal_steps({axis.axis, axis.extent})) {
        result.step = steps->step;
        result.step_error = step_error(axis.axis, *steps);
    }
    return result;
}

/// Returns the axes of the grid whose points `axis` counts.
std::vector<PositionAxis> grid_axes(const Axis& axis) {
    const std::size_t rank = axis.extents.size();
    static constexpr const char* names[] = {"depth", "height", "width"};
    std::vector<PositionAxis> axes;
    for (std::size_t i = 0; i < rank; ++i) {
        const char* const name = rank <= 3 ? names[3 - rank + i] : "axis";
        axes.push_back({name, axis.extents[i], 1, 1.0});
    }
    if (axis.is_by_columns) std::swap(axes[rank - 2], axes[rank - 1]);
    return axes;
}

void set_strides(std::vector<PositionAxis>& axes) {
    std::int64_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 0; stride *= axes[i].extent) axes[i].stride = stride;
}

VectorsOrReason refusal(std::string reason) { return {std::nullopt, std::move(reason)}; }

/// Reads elements first, first + 1, ..., first + count - 1 of the table.
std::vector<double> read_elements(const Table& table, std::int64_t first, std::int64_t count) {
    const std::int64_t columns = table.shape.columns();
    const std::int64_t first_row = first / columns;
    const std::int64_t rows = (first + count - 1) / columns - first_row + 1;
    std::vector<double> values = read_rows(table, {first_row, rows});
    if (std::ssize(values) == count) return values;
    const auto begin = values.begin() + (first - first_row * columns);
    return {begin, begin + count};
}

}  // namespace

std::vector<double> PositionVectors::read(RowRange range) const {
    const std::int64_t last_channels = channels / first_channels;
    std::vector<double> out;
    for (std::int64_t done = 0; done < range.count;) {
        const std::int64_t group = (range.first + done) / positions;
        const std::int64_t position = (range.first + done) % positions;
        const std::int64_t count = std::min(range.count - done, positions - position);
        const auto elements = [&](std::int64_t channel) {
            const std::int64_t line = group * first_channels + channel;
            return read_elements(
                table, (line * (rows_before + positions) + rows_before + position) * last_channels,
                count * last_channels);
        };
        if (first_channels == 1 && count == range.count) return elements(0);
        out.resize(range.count * channels);
        for (std::int64_t channel = 0; channel < first_channels; ++channel) {
            const std::vector<double> values = elements(channel);
            for (std::int64_t i = 0; i < count; ++i) {
                std::copy_n(values.begin() + i * last_channels, last_channels,
                            out.begin() + (done + i) * channels + channel * last_channels);
            }
        }
        done += count;
    }
    return out;
}

std::string PositionVectors::place(std::int64_t index) const {
    std::vector<std::int64_t> indices;
    for (const PositionAxis& axis : axes) {
        indices.push_back(index_along(axis, index) + (axes.size() == 1 ? rows_before : 0));
    }
    std::string text = indices.size() == 1 ? fmt::format("row {}", indices.front())
                                           : fmt::format("({})", joined(indices, ", "));
    return groups == 1 ? text : fmt::format("{} of {}", text, index / positions);
}

VectorsOrReason vectors_of(const Table& table) {
    if (table.shape.size() == 0) return refusal("the table has no values");
    PositionVectors vectors{.table = table, .positions = 1};
    AxisRole last = AxisRole::group;
    for (const RoledAxis& axis : axes_of(table)) {
        const bool has_positions = !vectors.axes.empty();
        switch (axis.role) {
            case AxisRole::pair:
                return refusal("its values belong to pairs of positions, not to positions");
            case AxisRole::group:
                if (last != AxisRole::group) return refusal("its axes stand in an unusual order");
                vectors.groups *= axis.extent;
                break;
            case AxisRole::channel:
                vectors.channels *= axis.extent;
                if (!has_positions) vectors.first_channels *= axis.extent;
                break;
            case AxisRole::position:
                if (has_positions && last != AxisRole::position) {
                    return refusal("its axes stand in an unusual order");
                }
                vectors.rows_before += axis.axis.rows_before;
                vectors.positions *= axis.extent - axis.axis.rows_before;
                if (!axis.axis.extents.empty()) {
                    std::ranges::move(grid_axes(axis.axis), std::back_inserter(vectors.axes));
                } else if (axis.axis.kind == AxisKind::point) {
                    vectors.axes.push_back({axis.axis.name, axis.extent, 1});
                } else {
                    vectors.axes.push_back(position_axis(axis));
                }
                break;
        }
        last = axis.role;
    }
    if (vectors.axes.empty()) return refusal("it has no axis of positions");
    if (vectors.positions == 0) return refusal("none of its rows stands for a position");
    set_strides(vectors.axes);
    return {std::move(vectors), ""};
}

}  // namespace pegen
