#pragma once

#include <functional>
#include <vector>

#include "core/dtype.h"
#include "numerics/frequencies.h"
#include "numerics/rotations.h"
#include "numerics/sinusoid.h"
#include "numerics/ziv_loop.h"

// Evaluation by MPFR: slow, but right for every input.
namespace pegen::numerics {

/// Encloses the function of an angle that is off by at most rounding_errors() of itself.
Enclosure enclosed_wave(Function function, const Real& angle);

/// Returns a double whose rounding to `dtype` is out_scale * function(angle) rounded once. `angle`
/// is evaluated with as many bits as it takes, off by at most rounding_errors() of itself, and is a
/// rational number.
double exact_wave(Function function, const std::function<Real()>& angle, double out_scale,
                  DType dtype);

/// Returns a double whose rounding to `dtype` is out_scale * function(position * frequency[k])
/// rounded once.
double exact_value(Function function, double position, const Frequencies& frequencies,
                   std::size_t k, double out_scale, DType dtype);

/// Returns `count` lists: list i, counted from 0, has the rotation by 2^(doublings * i) * position
/// * frequency for each frequency. Each sin and cos is within 2^-107 of the exact one.
/// Keeps the last results, up to 16 MiB, since the tables of a sweep share them.
/// Precondition: doublings * count <= 180, and no angle exceeds 2^107.
std::vector<Rotations> exact_rotations(const Frequencies& frequencies, double position,
                                       int doublings, int count);

}  // namespace pegen::numerics
