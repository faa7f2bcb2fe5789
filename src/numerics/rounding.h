#pragma once

#include "core/dtype.h"

namespace pegen::numerics {

/// What was cut off when a number was truncated to a double.
enum class Rest { nothing, something };

/// The number, of which `truncated` is the part that fits a double, rounded to odd: where something
/// was cut off, the last bit is one. Such a double is never mistaken for a midpoint or a number of
/// a narrower type, so rounding it to float32, float16 or bfloat16 rounds the number itself, once.
double round_to_odd(double truncated, Rest rest);

/// A double whose rounding to `dtype` is the exact quotient a / b rounded once.
/// Precondition: a >= 0 and b > 0 are finite; the quotient is zero or a normal number.
double quotient_for(DType dtype, double a, double b);

}  // namespace pegen::numerics
