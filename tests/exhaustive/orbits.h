#pragma once

#include <array>

#include "numerics/frequencies.h"

namespace exhaustive {

/// The denominators of angles 2 pi / denominator that doubling leads round an orbit of few angles.
/// There each effect of doubling on an error repeats many times in the same direction.
inline constexpr std::array orbit_denominators{3, 5, 7, 9, 15, 17, 31, 33, 63, 127};

/// Returns a progression of doubles, as the options --base, --denom-shift and --freq-scale with --d
/// 4, whose frequency 1 is 2 pi / denominator * 2^exponent, with a relative error below 2^-100.
pegen::numerics::GeometricProgression near_orbit(int denominator, int exponent);

}  // namespace exhaustive
