#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/axis.h"

// The points of a grid that one axis counts.
namespace pegen {

/// Returns the indices of a point along the axes of the grid, Axis::extents; an empty list if the
/// axis counts no grid points, or the index is one of the rows before them.
std::vector<std::int64_t> grid_index(const Axis& axis, std::int64_t index);

/// Returns the index of the point with these indices along the axes of the grid.
/// Precondition: there is such a point.
std::int64_t index_of_point(const Axis& axis, std::span<const std::int64_t> point);

}  // namespace pegen
