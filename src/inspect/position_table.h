#pragma once

#include <cstdint>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A table in memory: the channels of the positions of a sequence or a grid.
struct PositionTable {
    std::vector<std::int64_t> extents;          ///< extents of the axes of positions, slowest first
    std::vector<std::vector<double>> channels;  ///< [channel][position], the last axis fastest
    std::vector<Axis> axes;                     ///< the axes that the extents belong to
    Axis channel_axis;           ///< the axis of the channels; unnamed if there is one channel
    bool is_by_columns = false;  ///< the table lists the points of its grid by columns

    std::int64_t positions() const;
};

/// Reads the table according to its axes. The channels run along the axis of kind channel, else
/// along the last of several axes; a table of one axis has one channel. All other axes are axes of
/// positions: the points of a grid lie along the axes of the grid, slowest first; rows before the
/// first position are left out, and so is the axis of a batch of one.
PositionTable read_positions(const Table& table);

/// True if compare() looks for positions shifted along this axis, which does not count heads,
/// functions or the images of a batch.
bool is_shifted_along(const Axis& axis);

/// Returns the same positions as the positions of a sequence.
PositionTable flattened(PositionTable table);

}  // namespace pegen
