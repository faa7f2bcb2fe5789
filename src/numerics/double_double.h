#pragma once

#include <cmath>

namespace pegen::numerics {

/// The unevaluated sum high + low of two doubles, |low| <= ulp(high) / 2: about 106 bits.
struct DoubleDouble {
    double high;
    double low;
};

/// a + b where |a| >= |b|, exactly.
inline DoubleDouble sum_ordered(double a, double b) {
    const double high = a + b;
    return {high, b - (high - a)};
}

/// a + b, exactly.
inline DoubleDouble sum(double a, double b) {
    const double high = a + b;
    const double b_seen = high - a;
    return {high, (a - (high - b_seen)) + (b - b_seen)};
}

/// a + b. Error: at most 2^-104 (|a| + |b|).
inline DoubleDouble sum(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble high = sum(a.high, b.high);
    return sum_ordered(high.high, high.low + (a.low + b.low));
}

/// a b. Error: at most 2^-103 |a b|.
inline DoubleDouble product(DoubleDouble a, DoubleDouble b) {
    const double high = a.high * b.high;
    const double rest = std::fma(a.high, b.high, -high);
    return sum_ordered(high, rest + (a.high * b.low + a.low * b.high));
}

}  // namespace pegen::numerics
