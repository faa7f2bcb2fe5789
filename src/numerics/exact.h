#pragma once

#include <vector>

#include "core/dtype.h"
#include "numerics/frequencies.h"
#include "numerics/real.h"
#include "numerics/rotations.h"
#include "numerics/sinusoid.h"

// By MPFR: slow, and always right.
namespace pegen::numerics {

/// A double whose rounding to `dtype` is out_scale * function(position * frequency) rounded once.
double exact_value(Function function, double position, const Real& frequency, double out_scale,
                   DType dtype);

/// Rotations by position * 2^(doublings * i) * frequency, for each frequency; i = 0 ... count - 1.
/// Each sin and cos is within 2^-106 of the exact one. Precondition: doublings * count <= 180.
std::vector<Rotations> exact_rotations(const Frequencies& frequencies, double position,
                                       int doublings, int count);

}  // namespace pegen::numerics
