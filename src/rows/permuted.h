#pragma once

#include <cstdint>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Returns the rows of `x` with the indices along `axis` in another order: index i of each block of
/// order.size() indices is index order[i] of that block of x. Elements are moved as they are.
/// Precondition: the extent of the axis is a multiple of order.size().
RowSource permuted(const Table& x, int axis, std::vector<std::int64_t> order);

}  // namespace pegen::rows
