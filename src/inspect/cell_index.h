#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/shape.h"
#include "core/table.h"

namespace pegen {

/// Returns the index along each axis of the cell that `at` names, all from 0 on: either these
/// indices themselves, or, in the place of one of a grid, those along the grid's own axes: Y,X.
/// Throws: UsageError about --at if these are not indices of the table.
std::vector<std::int64_t> cell_index(const Shape& shape, const std::vector<Axis>& axes,
                                     std::span<const std::int64_t> at);

}  // namespace pegen
