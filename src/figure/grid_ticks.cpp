#include "figure/grid_ticks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace pegen {
namespace {

/// The extents of the grid, the fastest last.
std::vector<std::int64_t> in_order(const Axis& axis) {
    std::vector<std::int64_t> extents = axis.extents;
    const std::size_t rank = extents.size();
    if (axis.is_by_columns && rank > 1) std::swap(extents[rank - 2], extents[rank - 1]);
    return extents;
}

/// Returns the least number of points between ticks: a round number of rows, or of planes. One that
/// does not divide what is around it would stand elsewhere in each plane.
std::optional<std::int64_t> step_of(const std::vector<std::int64_t>& extents, std::int64_t points,
                                    int intervals) {
    constexpr std::int64_t round[] = {1, 2, 5};
    std::int64_t stride = extents.back();
    for (std::size_t axis = extents.size() - 1; axis-- > 0; stride *= extents[axis]) {
        const std::int64_t extent = extents[axis];
        for (std::int64_t power = 1; power < extent; power *= 10) {
            for (const std::int64_t digit : round) {
                const std::int64_t count = digit * power;
                const bool is_even = axis == 0 || extent % count == 0;
                const bool is_wide_enough = (points - 1) / (count * stride) <= intervals;
                if (count < extent && is_even && is_wide_enough) return count * stride;
            }
        }
    }
    return std::nullopt;
}

std::string label_of(std::int64_t point, const Axis& axis,
                     const std::vector<std::int64_t>& extents) {
    if (!axis.is_merged) return fmt::format("{}", point);
    std::vector<std::int64_t> coordinates;
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
        coordinates.push_back(point % *extent);
        point /= *extent;
    }
    std::ranges::reverse(coordinates);
    return fmt::format("({})", fmt::join(coordinates, ", "));
}

}  // namespace

std::vector<Tick> grid_ticks(const AxisOfTable& axis, int intervals) {
    const std::vector<std::int64_t> extents = in_order(axis.axis);
    const std::int64_t points = axis.positions();
    if (extents.empty() || points <= extents.back()) return {};
    const std::optional<std::int64_t> step = step_of(extents, points, intervals);
    if (!step) return {};
    constexpr int most_minor = 8;  // between two labels, as many as on a logarithmic axis
    const std::int64_t row = extents.back();
    const bool has_minor = (points - 1) / row <= std::int64_t{most_minor} * intervals;
    std::vector<Tick> ticks;
    for (std::int64_t point = 0; point < points; point += has_minor ? row : *step) {
        const bool is_minor = point % *step != 0;
        ticks.push_back({static_cast<double>(axis.axis.rows_before + point),
                         is_minor ? "" : label_of(point, axis.axis, extents), is_minor});
    }
    return ticks;
}

}  // namespace pegen
