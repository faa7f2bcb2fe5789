#pragma once

#include <span>

namespace pegen::numerics {

/// Returns the sum of the values, the same on every machine: eight sums, value i in sum i mod 8,
/// then these in pairs.
double sum_of(std::span<const double> values);

/// Replaces each score by exp(score - largest) / (sum of these). Minus infinity becomes 0. A weight
/// is off by at most 2^-50 of itself plus the error of its score's difference to the largest,
/// 2^-53 times that difference. The bytes are the same on every machine.
/// Precondition: a score is finite, and none is NaN or plus infinity.
void softmax(std::span<double> scores);

}  // namespace pegen::numerics
