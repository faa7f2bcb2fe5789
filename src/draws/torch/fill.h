#pragma once

#include <cstdint>
#include <memory>

#include "core/tensor_fill.h"
#include "draws/torch/mt19937.h"
#include "draws/torch/normal.h"

namespace pegen::torch {

/// Returns the inverse of erf in single precision, with the bits of PyTorch's erfinv in CPU builds
/// without MKL: a rational approximation and two Newton steps. Infinite for y = -1 and 1.
/// Precondition: |y| <= 1.
float erfinv(float y, CodePath path);

// The tensors that PyTorch's in-place random functions make, computed when elements are read:
// contiguous, float32, on the CPU.

/// Returns how many draws `fills` calls of normal_ on tensors of `size` elements consume right
/// after seeding. Throws: UsageError if that exceeds 2^63 - 1.
std::int64_t draws_of_normal_fills(std::int64_t fills, std::int64_t size);

/// Returns the tensor after a call of normal_(mean, std) that follows `fills_before` calls on
/// tensors of the same size. Tensors of 16 elements or more are made in blocks of 16, of which the
/// last may overlap the one before. Smaller tensors are made in pairs; half a pair may be left for
/// the next call.
TensorFill normal_fill(std::shared_ptr<Draws> draws, std::int64_t fills_before, std::int64_t size,
                       double mean, double std, CodePath path);

/// Returns the tensor after a call of normal_(mean, std) whose first draw is `first_draw`, with no
/// half of a pair left by a call before.
TensorFill normal_fill_from(std::shared_ptr<Draws> draws, std::int64_t first_draw,
                            std::int64_t size, double mean, double std, CodePath path);

/// Returns the tensor after uniform_(low, high). Element i is made of draw first_draw + i.
TensorFill uniform_fill(std::shared_ptr<Draws> draws, std::int64_t first_draw, double low,
                        double high, CodePath path);

/// Returns the tensor after torch.nn.init.trunc_normal_(mean, std, low, high), which transforms
/// uniform values. Element i is made of draw first_draw + i.
TensorFill truncated_normal_fill(std::shared_ptr<Draws> draws, std::int64_t first_draw, double mean,
                                 double std, double low, double high, CodePath path);

}  // namespace pegen::torch
