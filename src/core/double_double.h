#pragma once

#include <cmath>

#ifdef __FAST_MATH__
#error "-ffast-math removes the low halves of double-doubles: compile without it"
#endif

namespace pegen {

/// The unevaluated sum high + low of two doubles, |low| <= ulp(high) / 2: about 106 bits.
struct DoubleDouble {
    double high;
    double low;
};

inline DoubleDouble negative(DoubleDouble a) { return {-a.high, -a.low}; }

/// Returns a + b, exactly. Precondition: |a| >= |b|.
inline DoubleDouble sum_ordered(double a, double b) {
    const double high = a + b;
    return {high, b - (high - a)};
}

/// Returns a + b, exactly.
inline DoubleDouble sum(double a, double b) {
    const double high = a + b;
    const double b_seen = high - a;
    return {high, (a - (high - b_seen)) + (b - b_seen)};
}

/// Returns a b. Error: at most 2^-103 |a b|.
inline DoubleDouble product(DoubleDouble a, DoubleDouble b) {
    const double high = a.high * b.high;
    const double rest = std::fma(a.high, b.high, -high);
    return sum_ordered(high, rest + (a.high * b.low + a.low * b.high));
}

/// Returns a b + c d. Error: at most 2^-102 (|a b| + |c d|).
inline DoubleDouble sum_of_products(DoubleDouble a, DoubleDouble b, DoubleDouble c,
                                    DoubleDouble d) {
    const double ab = a.high * b.high, cd = c.high * d.high;
    const DoubleDouble high = sum(ab, cd);
    double low = std::fma(a.high, b.high, -ab) + std::fma(c.high, d.high, -cd);
    low = std::fma(a.high, b.low, std::fma(a.low, b.high, low));
    low = std::fma(c.high, d.low, std::fma(c.low, d.high, low));
    return sum_ordered(high.high, high.low + low);
}

// Functions of doubles with the same bits on every machine, which std::exp, std::log and std::pow
// do not promise. The results are computed in double-doubles and then rounded: they are the nearest
// double except for about one argument in 2^40.

/// Returns e^x; infinity beyond the range of a double.
double exponential(double x);

/// Returns the natural logarithm of x. Precondition: x > 0.
double logarithm(double x);

/// Returns base^exponent; exactly, if the power is a double and the exponent a whole number;
/// infinity beyond the range of a double. Precondition: base > 0, or base < 0 and the exponent is a
/// whole number, or base is 0 and the exponent positive.
double power(double base, double exponent);

}  // namespace pegen
