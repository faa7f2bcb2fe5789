#pragma once

#include "core/table.h"

// Rows computed from the values of other rows.
namespace pegen::rows {

/// Returns the rows as float64, whatever their dtype.
Rows as_float64(const Rows& rows);

/// Returns rows of float64 with each value rounded once to `dtype`.
Rows rounded(const Rows& float64, DType dtype);

/// Returns (value - mean) / (divisor * deviation), with the mean and the standard deviation
/// (unbiased: n - 1) of all values, rounded once to `dtype`. `float64` is read twice now, which is
/// reported, and again whenever rows are asked for. The result does not depend on the number of
/// threads. Throws: UsageError if the values do not differ.
Rows standardized(const Rows& float64, double divisor, DType dtype);

/// True if an array of shape `small` can be added to each part of an array of shape `large`:
/// aligned at the last axes, its extents are the same, or 1 on any axis but the last. `small` may
/// lack the first axes of `large`; it has two axes at least, unless `large` has one.
bool fits_into(const Shape& small, const Shape& large);

/// Returns the rows of  x + addend  of x's shape, computed in double and rounded once to `dtype`.
/// `x`, `addend` and `dtype` are floating. A small addend is computed now and kept.
/// Precondition: fits_into(addend.shape, x.shape).
Rows sum(const Table& x, const Table& addend, DType dtype);

}  // namespace pegen::rows
