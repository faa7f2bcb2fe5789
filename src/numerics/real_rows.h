#pragma once

#include <cstdint>
#include <functional>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/real.h"

namespace pegen::numerics {

/// The formula of a table: pure, evaluated with as many bits as rounding needs, and off by at most
/// rounding_errors() of its value.
using RealFormula = std::function<Real(std::int64_t row, std::int64_t column)>;

/// Returns the rows of  table[row, column] = value(row, column), each rounded once to `dtype`.
/// Takes microseconds for each value.  Shape: (rows, columns).
Rows real_rows(RealFormula value, std::int64_t rows, std::int64_t columns, DType dtype);

/// Returns the same rows, in nanoseconds for each value of a dtype narrower than float64. near(row,
/// column) is value(row, column) in plain doubles, off by at most 2^-40 of itself: `value` is
/// evaluated only where `near` leaves the rounding in doubt.
Rows real_rows(RealFormula value, std::function<double(std::int64_t row, std::int64_t column)> near,
               std::int64_t rows, std::int64_t columns, DType dtype);

}  // namespace pegen::numerics
