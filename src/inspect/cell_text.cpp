#include "inspect/cell_text.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/error.h"
#include "core/names.h"
#include "encodings/parameters/waves.h"

namespace pegen {
namespace {

/// Returns the names of the axes along which the indices count; with `in_grids`, an axis that
/// counts the points of a grid is replaced by the axes of the grid.
std::vector<std::string> names_of_indices(const std::vector<Axis>& axes, bool in_grids) {
    std::vector<std::string> names;
    for (const Axis& axis : axes) {
        if (in_grids && !axis.extents.empty()) {
            for (const char name : std::string_view("tyx").substr(3 - axis.extents.size())) {
                names.emplace_back(1, name);
            }
        } else {
            names.push_back(axis.name);
        }
    }
    return names;
}

[[noreturn]] void refuse_count(const std::vector<Axis>& axes, std::span<const std::int64_t> at) {
    const std::vector<std::string> names = names_of_indices(axes, false);
    const std::vector<std::string> in_grids = names_of_indices(axes, true);
    const std::string others =
        in_grids == names ? "" : fmt::format(", or {}", joined(in_grids, ","));
    refuse("at", joined(at, ","),
           names.empty()
               ? "the table has no axes"
               : fmt::format("must be {} {}: {}{}", names.size(),
                             names.size() == 1 ? "index" : "indices", joined(names, ","), others));
}

/// Checks an index. Throws: UsageError if it is not among the `extent` indices of this axis.
void check_index(std::span<const std::int64_t> at, std::int64_t index, std::int64_t extent,
                 std::string_view axis) {
    if (index >= 0 && index < extent) return;
    refuse("at", joined(at, ","),
           extent == 0 ? fmt::format("the axis {} is empty", axis)
                       : fmt::format("the axis {} has indices 0 to {}", axis, extent - 1));
}

}  // namespace

std::vector<std::int64_t> cell_index(const Shape& shape, const std::vector<Axis>& axes,
                                     std::span<const std::int64_t> at) {
    const std::vector<std::string> names = names_of_indices(axes, true);
    const bool in_grids = at.size() == names.size();
    if (!in_grids && at.size() != axes.size()) refuse_count(axes, at);
    std::vector<std::int64_t> index;
    std::size_t next = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Axis& axis = axes[i];
        if (!in_grids || axis.extents.empty()) {
            check_index(at, at[next], shape[static_cast<int>(i)], axis.name);
            index.push_back(at[next++]);
            continue;
        }
        const auto point = at.subspan(next, axis.extents.size());
        for (std::size_t k = 0; k < point.size(); ++k) {
            check_index(at, point[k], axis.extents[k], names[next + k]);
        }
        index.push_back(index_of_point(axis, point));
        next += point.size();
    }
    return index;
}

std::optional<std::int64_t> element_at(const Shape& shape, std::span<const std::int64_t> index) {
    if (std::ssize(index) != shape.rank()) return {};
    std::int64_t element = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const std::int64_t own = index[axis];
        if (own >= shape[axis]) return {};
        element = element * shape[axis] + own;
    }
    return element;
}

std::string stands_for(const Axis& axis, std::int64_t index) {
    if (!axis.index_names.empty()) return axis.index_names[index];
    if (!axis.extents.empty()) return joined(grid_index(axis, index), ",");
    if (!axis.positions && axis.kind != AxisKind::position) return "";
    const std::optional<double> position = position_at(axis, index);
    return position ? encodings::number_term(*position).text : "";
}

std::string index_text(std::string_view axis, std::int64_t index, std::string_view stands_for) {
    const bool is_plain = stands_for.empty() || stands_for == fmt::format("{}", index);
    return is_plain ? fmt::format("{} {}", axis, index)
                    : fmt::format("{} {} (index {})", axis, stands_for, index);
}

std::string element_text(const Table& table, std::int64_t element) {
    std::vector<std::byte> row(row_bytes(table));
    table.rows({element / table.shape.columns(), 1}, row);
    return with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        T value;
        std::memcpy(&value, row.data() + (element % table.shape.columns()) * sizeof value,
                    sizeof value);
        return element_text(value);
    });
}

}  // namespace pegen
