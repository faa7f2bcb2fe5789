#pragma once

namespace pegen {

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
