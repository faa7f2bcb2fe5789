#pragma once

#include <mpfr.h>

#include "core/dtype.h"

namespace exhaustive {

/// Returns the number of `dtype`, a floating type, nearest to `exact`, by MPFR.
double nearest(pegen::DType dtype, mpfr_srcptr exact);

/// Returns the distance in ULP from `exact` to the nearest midpoint between two neighbours: at most
/// 0.5.
double distance_to_midpoint(pegen::DType dtype, mpfr_srcptr exact);

}  // namespace exhaustive
