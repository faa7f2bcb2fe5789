#pragma once

#include <array>

#include "numerics/frequencies.h"

namespace exhaustive {

/// Where 2 pi / denominator goes when it is doubled again and again: round an orbit of few angles,
/// so what doubling does to an error it does many times in the same direction.
inline constexpr std::array orbit_denominators{3, 5, 7, 9, 15, 17, 31, 33, 63, 127};

/// Returns a progression of doubles, as the options --base, --denom-shift and --freq-scale with
/// --d 4, of which frequency 1 is 2 pi / denominator * 2^exponent, to 2^-100 of itself.
pegen::numerics::GeometricProgression near_orbit(int denominator, int exponent);

}  // namespace exhaustive
