#pragma once

#include "core/table.h"

namespace pegen::rows {

/// Returns (value - mean) / (divisor * deviation), with the mean and the standard deviation
/// (unbiased: n - 1) of all rows x columns values, rounded once to `dtype`. `source` gives float64
/// rows; it is read twice now, which is reported, and again whenever rows are asked for. The result
/// does not depend on the number of threads. Throws: UsageError if the values do not differ.
RowSource standardized(RowSource source, std::int64_t rows, std::int64_t columns, double divisor,
                       DType dtype);

}  // namespace pegen::rows
