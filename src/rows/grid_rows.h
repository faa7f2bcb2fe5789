#pragma once

#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Returns a row for each point of the grid, the last of `axes` running fastest. Each axis of the
/// grid has a table with a row for each index and all channels of the encoding; the channels of
/// other axes are zero. So the row of a point is exactly the bitwise or of one row of each axis,
/// whatever the order of the channels.  Shape: (product of the extents, channels).
/// Precondition: there is an axis, and all have the same channels and dtype.
Rows point_rows(const std::vector<Rows>& axes);

/// Returns the same table with the channels first.  Shape: (channels, extents ...); a row runs
/// along the last axis. Precondition: each extent fits in memory as such a row.
Rows channel_rows(const std::vector<Rows>& axes);

}  // namespace pegen::rows
