#include "core/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/shape.h"

namespace pegen {

std::optional<double> position_at(const Axis& axis, std::int64_t index) {
    if (index < axis.rows_before) return std::nullopt;
    const std::int64_t i = index - axis.rows_before;
    return axis.positions ? (*axis.positions)[i] : static_cast<double>(i);
}

std::string index_name(const Axis& axis, std::int64_t index) {
    if (!axis.index_names.empty()) return axis.index_names[index];
    return fmt::format("{} {}", axis.name, index);
}

std::optional<int> find_axis(const std::vector<Axis>& axes, AxisKind kind) {
    const auto found = std::ranges::find(axes, kind, &Axis::kind);
    if (found == axes.end()) return std::nullopt;
    return static_cast<int>(found - axes.begin());
}

bool is_shown_as_panels(const Axis& axis) {
    return axis.kind == AxisKind::head || axis.kind == AxisKind::function;
}

namespace {

/// Reorders `numbers`, one for each axis of a grid: from the order depth, height, width to the
/// order in which the axes run, slowest first, or back.
std::vector<std::int64_t> in_order(const Axis& axis, std::vector<std::int64_t> numbers) {
    if (axis.is_by_columns) std::swap(numbers.back(), *(numbers.end() - 2));
    return numbers;
}

}  // namespace

std::vector<std::int64_t> grid_index(const Axis& axis, std::int64_t index) {
    if (axis.extents.empty() || index < axis.rows_before) return {};
    std::vector<std::int64_t> point =
        index_of(index - axis.rows_before, in_order(axis, axis.extents));
    return in_order(axis, std::move(point));
}

std::int64_t index_of_point(const Axis& axis, std::span<const std::int64_t> point) {
    const std::vector<std::int64_t> strides =
        in_order(axis, strides_of(in_order(axis, axis.extents)));
    return std::inner_product(point.begin(), point.end(), strides.begin(), axis.rows_before);
}

}  // namespace pegen
