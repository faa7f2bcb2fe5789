#pragma once

#include <span>

#include "core/dtype.h"
#include "core/expression.h"
#include "numerics/real.h"

// Expressions as exact formulas: no operation is rounded, pi and e are the numbers themselves, and
// numbers in the text are the nearest doubles.
namespace pegen::numerics {

/// Returns a double whose rounding to `dtype` is the value of the expression, rounded once; an
/// exact 0 has no sign. values[i] is the value of step i, if that is a name; it may be infinite.
/// Takes nanoseconds for each operation, and microseconds where these leave the rounding in doubt.
/// A comparison or a step, such as floor, of numbers that 5120 bits cannot tell apart takes them
/// for equal: docs/numerics.md. Throws: UsageError with the reason if there is no value: a division
/// by zero, a logarithm of a negative number.
double exact_value(const Expression& expression, std::span<const double> values, DType dtype);

/// Returns the value with the bits of Precision. Throws: as exact_value.
Real real_value(const Expression& expression, std::span<const double> values);

}  // namespace pegen::numerics
