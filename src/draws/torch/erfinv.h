#pragma once

#include "draws/torch/normal.h"

namespace pegen::torch {

/// Returns the inverse of erf in single precision, with the bits of PyTorch's erfinv in CPU builds
/// without MKL: a rational approximation and two Newton steps. Infinite for y = -1 and 1.
/// Precondition: |y| <= 1.
float erfinv(float y, CodePath path);

}  // namespace pegen::torch
