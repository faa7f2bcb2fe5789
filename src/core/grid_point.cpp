#include "core/grid_point.h"

#include <numeric>
#include <utility>

#include "core/shape.h"

namespace pegen {
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
