#pragma once

namespace pegen {

// Functions of doubles with the same bits on every machine, which std::exp, std::log and std::pow
// do not promise. The results are those of double-doubles, rounded: the nearest double but for one
// argument in 2^40.

/// Infinite beyond the range of a double.
double exponential(double x);

/// Precondition: x > 0.
double logarithm(double x);

/// Exact if the power is a double and the exponent a whole number. Infinite beyond the range of a
/// double. Precondition: base > 0, or base < 0 and the exponent is a whole number, or base is 0 and
/// the exponent positive.
double power(double base, double exponent);

}  // namespace pegen
