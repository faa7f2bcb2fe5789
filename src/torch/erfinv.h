#pragma once

#include "torch/normal.h"

namespace pegen::torch {

/// The inverse of erf in single precision, bit for bit as PyTorch's erfinv of CPU builds without
/// MKL: a rational approximation and two of Newton's steps. Infinite for y = -1 and 1.
/// Precondition: |y| <= 1.
float erfinv(float y, CodePath path);

}  // namespace pegen::torch
