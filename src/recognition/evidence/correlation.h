#pragma once

#include <cstdint>
#include <span>

namespace pegen::evidence {

/// Returns the correlation of two lists of the same length, from -1 to 1; 1 if a list has no spread
/// or a number that is not finite.
double correlation_of(std::span<const double> a, std::span<const double> b);

/// True if rows of (rows, columns) are like the rows before them, as in most tables along positions
/// or pixels, also within noise; false for independent random numbers. Looks at some rows.
bool are_rows_alike(std::span<const double> values, std::int64_t columns);

}  // namespace pegen::evidence
