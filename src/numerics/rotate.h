#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "numerics/estimate.h"
#include "numerics/rotations.h"

namespace pegen::numerics {

/// Where sin and cos of frequency k are put: sin[k * stride] and cos[k * stride].
template <class T>
struct Channels {
    T* sin;
    T* cos;
    std::size_t stride;
};

/// sin and cos of the sums of two angles, times `scale`, for each frequency, each rounded once to
/// T: float, double, float16 or bfloat16. `base` carries the scale, `step` is a rotation.
/// Computed in double-doubles for T double, else in doubles.
/// Returns whether every value is certain; where not, estimate() and in the end MPFR decide.
/// Precondition: the stride is 1, or 2 with cos = sin + 1.
template <class T>
bool rotate(const Rotations& base, const Rotations& step, double scale, Channels<T> channels);

/// The same of frequency k, in double-doubles.
Estimate estimate(const Rotations& base, const Rotations& step, std::size_t k, double scale);

}  // namespace pegen::numerics
