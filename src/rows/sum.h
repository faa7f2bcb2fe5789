#pragma once

#include "core/table.h"

namespace pegen::rows {

/// True if an array of shape `small` can be added to each part of an array of shape `large`:
/// aligned at the last axes, its extents are the same, or 1 on any axis but the last. `small` may
/// lack the first axes of `large`; it has two axes at least, unless `large` has one.
bool fits_into(const Shape& small, const Shape& large);

/// Returns the rows of  x + addend  of x's shape, computed in double and rounded once to `dtype`.
/// `addend` is of float64, `x` and `dtype` are floating. A small addend is computed now and kept.
/// Precondition: fits_into(addend.shape, x.shape).
RowSource sum(const Table& x, const Table& addend, DType dtype);

}  // namespace pegen::rows
