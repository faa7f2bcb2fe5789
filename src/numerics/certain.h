#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/element.h"
#include "numerics/double_double.h"
#include "numerics/rounding.h"

// The rounding test of Ziv: a value that is known up to an error is rounded at both ends of what it
// may be; if they agree, that is the value rounded once, whatever the error really was.
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

/// A rounded value, and whether it is certainly the right one.
template <class T>
struct Rounded {
    T value;
    bool is_certain;
};

template <class T>
Rounded<T> round_certainly(DoubleDouble value, double error) {
    const T low = round_once<T>({value.high, value.low - error});
    const T high = round_once<T>({value.high, value.low + error});
    return {high, low == high};
}

}  // namespace pegen::numerics
