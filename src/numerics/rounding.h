#pragma once

#include <span>

#include "core/dtype.h"

namespace pegen::numerics {

/// Returns the value rounded once to a floating dtype; unchanged for any other dtype.
double rounded(double value, DType dtype);

/// Whether truncating a number to a double cut off only zero bits, or something else.
enum class Rest { nothing, something };

/// Rounds to odd a number that was truncated to the double `truncated`: if something was cut off,
/// sets the last bit. The result is then neither a number of a narrower type nor a midpoint between
/// two of them, so rounding it to float32, float16 or bfloat16 rounds the number itself once.
double round_to_odd(double truncated, Rest rest);

/// Returns a double whose rounding to `dtype` is the exact quotient a / b rounded once.
/// Precondition: a >= 0 and b > 0 are finite; the quotient is zero or a normal number.
double quotient_for(DType dtype, double a, double b);

/// Sets each number to quotient_for(dtype, number, divisor).
void divide_for(DType dtype, std::span<double> numbers, double divisor);

}  // namespace pegen::numerics
