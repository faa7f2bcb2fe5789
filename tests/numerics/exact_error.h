#pragma once

#include <cmath>

#include "core/double_double.h"
#include "numerics/real.h"

/// |value - exact|, rounded once.
inline double error_of(pegen::DoubleDouble value, const pegen::numerics::Real& exact) {
    pegen::numerics::Real difference(exact);
    mpfr_sub_d(difference.get(), difference.get(), value.high, MPFR_RNDN);
    mpfr_sub_d(difference.get(), difference.get(), value.low, MPFR_RNDN);
    return std::fabs(mpfr_get_d(difference.get(), MPFR_RNDN));
}
