#pragma once

#include <vector>

#include "core/dtype.h"
#include "numerics/frequencies.h"
#include "numerics/real.h"
#include "numerics/rotations.h"
#include "numerics/sinusoid.h"

// Evaluation by MPFR: slow, but right for every input.
namespace pegen::numerics {

/// Returns a double whose rounding to `dtype` is out_scale * function(position * frequency) rounded
/// once.
double exact_value(Function function, double position, const Real& frequency, double out_scale,
                   DType dtype);

/// Returns `count` lists, of which list i has the rotation by 2^(doublings * i) * position *
/// frequency for each frequency. Each sin and cos is within 2^-106 of the exact one.
/// Precondition: doublings * count <= 180.
std::vector<Rotations> exact_rotations(const Frequencies& frequencies, double position,
                                       int doublings, int count);

}  // namespace pegen::numerics
