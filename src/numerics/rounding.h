#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/double_double.h"
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

// Ziv's rounding test: both ends of the interval in which the exact value lies are rounded. If the
// results agree, they are the exact value rounded once.

/// Rounds a double-double once.
template <class T>
T round_once(DoubleDouble value) {
    const DoubleDouble normal = sum(value.high, value.low);
    if (normal.low == 0) return round_to<T>(normal.high);
    const bool is_beyond = (normal.low < 0) != (normal.high < 0);
    const double truncated = is_beyond ? std::nextafter(normal.high, 0.0) : normal.high;
    return round_to<T>(round_to_odd(truncated, Rest::something));
}
template <>
inline double round_once<double>(DoubleDouble value) {
    return value.high + value.low;
}

/// A rounded value; is_certain is true if it must be the exact value rounded once.
template <class T>
struct Rounded {
    T value;
    bool is_certain;
};

/// Rounds a value that is known to within `error`.
template <class T>
Rounded<T> round_certainly(DoubleDouble value, double error) {
    const T low = round_once<T>({value.high, value.low - error});
    const T high = round_once<T>({value.high, value.low + error});
    return {high, low == high};
}

}  // namespace pegen::numerics
