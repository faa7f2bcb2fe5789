#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"

namespace pegen::rows {

/// One axis of a grid. Its table has a row for each index and all channels of the encoding; the
/// channels of other axes are zero. So the row of a point is exactly the bitwise or of one row of
/// each axis, whatever the order of the channels.
struct GridAxis {
    RowSource rows;
    std::int64_t extent;
};

/// Returns a row for each point of the grid, the last of `axes` running fastest.
/// Shape: (product of the extents, channels).
RowSource point_rows(const std::vector<GridAxis>& axes, std::int64_t channels, DType dtype);

/// Returns the table with the channels first.  Shape: (channels, extents ...); a row runs along the
/// last axis. Precondition: each extent fits in memory as such a row.
RowSource channel_rows(const std::vector<GridAxis>& axes, std::int64_t channels, DType dtype);

}  // namespace pegen::rows
