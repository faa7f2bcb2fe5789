#pragma once

#include "numerics/real.h"
#include "numerics/rotations.h"
#include "pegen/core/dtype.h"
#include "pegen/numerics/frequencies.h"
#include "pegen/numerics/sinusoid.h"

// Single values by MPFR: slow, and always right.
namespace pegen::numerics {

/// A double whose rounding to `dtype` is out_scale * function(position * frequency) rounded once.
double exact_value(Function function, double position, const Real& frequency, double out_scale,
                   DType dtype);

/// Rotations by position * 2^power_of_two * frequency, for each frequency. Each sin and cos is the
/// nearest double-double.
Rotations exact_rotations(const Frequencies& frequencies, double position, int power_of_two);

}  // namespace pegen::numerics
