#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recognition/evidence/sample.h"

// The rows of an array (points, channels) as the points of a grid.
namespace pegen::evidence {

/// A grid on which each column depends on the index along one axis only. Point i has the index
/// i / stride(axis) % extents[axis] along an axis.
struct PointGrid {
    static constexpr int no_axis = -1;  ///< the axis of a column that is the same at all points

    std::int64_t first_row;             ///< the row of the array that holds point 0
    std::vector<std::int64_t> extents;  ///< the slowest axis first
    std::vector<int> axis_of_column;    ///< an index of `extents`, or no_axis, for each column

    std::int64_t stride(std::size_t axis) const;
    /// Returns the rows in memory whose points have index 0 along all other axes.
    std::vector<std::int64_t> line(std::size_t axis, const Sample& sample) const;
};

/// Returns the extents of all grids of this many points with this many axes, each extent at least
/// `least`, in ascending order.
std::vector<std::vector<std::int64_t>> grids_of(std::int64_t points, std::size_t axes,
                                                std::int64_t least = 2);

/// Returns the number of leading rows that are all zeros.
std::int64_t leading_zero_rows(const Sample& sample);

/// Returns the grid with these extents, if each column of the array depends on one of its axes.
/// Sines and cosines may differ by roundings of float32 code. Precondition: the array has two axes,
/// and the product of the extents is the number of rows from first_row on.
std::optional<PointGrid> point_grid(const Sample& sample, std::int64_t first_row,
                                    std::vector<std::int64_t> extents);

/// Returns the grids of two and three axes on which the points may be. Grids with extent 1 along an
/// axis, to which constant columns may belong, come last. If two neighbouring axes of a grid of
/// three axes may be one axis, the grid with the merged axis is returned, too.
std::vector<PointGrid> point_grids(const Sample& sample, std::int64_t first_row);

}  // namespace pegen::evidence
