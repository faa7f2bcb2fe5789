#pragma once

#include "encodings/torch_normal.h"

namespace pegen::encodings {

/// The inverse of erf in single precision, bit for bit as PyTorch's erfinv of CPU builds without
/// MKL: a rational approximation and two of Newton's steps. Infinite for y = -1 and 1.
/// Precondition: |y| <= 1.
float torch_erfinv(float y, TorchPath path);

}  // namespace pegen::encodings
