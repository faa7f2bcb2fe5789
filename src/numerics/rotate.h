#pragma once

#include <span>

#include "numerics/estimate.h"
#include "numerics/rotations.h"
#include "pegen/core/dtype.h"

namespace pegen::numerics {

/// scale * sin and scale * cos of the sums of two angles, for each frequency, rounded once to T:
/// float, double, float16 or bfloat16. Double-doubles for T double, else doubles.
/// Returns whether every value is certain; where not, estimate() and in the end MPFR decide.
template <class T>
bool rotate(const Rotations& a, const Rotations& b, double scale, std::span<T> sin,
            std::span<T> cos);

/// The same of frequency k, in double-doubles.
Estimate estimate(const Rotations& a, const Rotations& b, std::size_t k, double scale);

}  // namespace pegen::numerics
