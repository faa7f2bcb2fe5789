#pragma once

#include <span>

namespace pegen::numerics {

/// Returns the sum of the values, the same on every machine: adds value i to sum i mod 8, then the
/// eight sums in pairs.
double sum_of(std::span<const double> values);

/// Replaces each score by exp(score - largest), divided by the sum of all these exponentials. Minus
/// infinity becomes 0. A weight is off by at most 2^-50 of itself plus the error of its score's
/// difference to the largest, 2^-53 times that difference. The bytes are the same on every machine.
/// Precondition: at least one score is finite, and no score is NaN or plus infinity.
void softmax(std::span<double> scores);

}  // namespace pegen::numerics
