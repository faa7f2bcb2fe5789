#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/double_double.h"
#include "core/dtype.h"
#include "numerics/rounding.h"

// Ziv's rounding test: both ends of the interval in which the exact value lies are rounded. If the
// results agree, they are the exact value rounded once.
namespace pegen::numerics {

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
