#pragma once

#include <vector>

#include "figure/axis_positions.h"
#include "figure/ticks.h"

namespace pegen {

/// Returns ticks of an axis that counts the points of a grid (Axis::extents): at the first points
/// of rows of the grid, of every one or of every 2nd, 5th, 10th ..., or, in more than two
/// dimensions, of every so many planes, so that there are at most `intervals` intervals.
/// Tick::value is an index, the label the number of the point, or its coordinates if
/// Axis::is_merged: "(3, 0)". Where there is room, all other rows have minor ticks. Returns none if
/// the grid has a single row.
std::vector<Tick> grid_ticks(const AxisOfTable& axis, int intervals);

}  // namespace pegen
