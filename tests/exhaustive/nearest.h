#pragma once

#include <mpfr.h>

#include "core/dtype.h"

namespace exhaustive {

/// The number of `dtype`, a floating one, nearest to `exact`, by MPFR.
double nearest(pegen::DType dtype, mpfr_srcptr exact);

/// How far `exact` is from the nearest midpoint between two neighbours, in ULP: at most 0.5.
double distance_to_midpoint(pegen::DType dtype, mpfr_srcptr exact);

}  // namespace exhaustive
