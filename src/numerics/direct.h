#pragma once

#include "numerics/estimate.h"
#include "numerics/real.h"

namespace pegen::numerics {

/// A frequency as the unevaluated sum of two doubles.
struct SplitFrequency {
    double high;
    double low;
};

SplitFrequency split(const Real& frequency);

/// Of a position that is on no ladder: by sin and cos of the C library, which are trusted to
/// 1 ULP. The error is infinite where two doubles are too few for the angle, or the scale
/// is not moderate.
Estimate estimate_directly(double position, SplitFrequency frequency, double scale);

}  // namespace pegen::numerics
