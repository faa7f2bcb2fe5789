#pragma once

#include "numerics/estimate.h"

namespace pegen::numerics {

/// Of a position that is on no ladder: by sin and cos of the C library, which are trusted to
/// 1 ULP. The error is infinite where two doubles are too few for the angle, or the scale
/// is not moderate.
Estimate estimate_directly(double position, DoubleDouble frequency, double scale);

}  // namespace pegen::numerics
