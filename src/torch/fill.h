#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/dtype.h"
#include "core/table.h"
#include "torch/draws.h"
#include "torch/normal.h"

// The tensors PyTorch's in-place functions of random numbers leave, as promises: contiguous, of
// float32, on the CPU.
namespace pegen::torch {

/// Takes the next values of a range, in order.
using TakeFloats = std::function<void(std::span<const float> values)>;

/// Hands elements first ... first + count - 1 of a tensor to `take`, a few thousand at a time.
using TensorFill =
    std::function<void(std::int64_t first, std::int64_t count, const TakeFloats& take)>;

/// Draws that `fills` calls of normal_ on tensors of `size` elements consume, right after seeding.
/// Throws: UsageError if that exceeds 2^63 - 1.
std::int64_t draws_of_normal_fills(std::int64_t fills, std::int64_t size);

/// The tensor after the call of normal_(mean, std) that follows `fills_before` others on tensors of
/// the same size. From 16 elements on they are made in blocks of 16, of which the last overlaps the
/// one before; below, one pair after the other, and half a pair is left to the next call.
TensorFill normal_fill(std::shared_ptr<Draws> draws, std::int64_t fills_before, std::int64_t size,
                       double mean, double std, CodePath path);

/// The tensor after uniform_(low, high): element i is made of draw first_draw + i.
TensorFill uniform_fill(std::shared_ptr<Draws> draws, std::int64_t first_draw, double low,
                        double high, CodePath path);

/// The tensor after torch.nn.init.trunc_normal_(mean, std, low, high), which makes a uniform one of
/// it: element i is made of draw first_draw + i.
TensorFill truncated_normal_fill(std::shared_ptr<Draws> draws, std::int64_t first_draw, double mean,
                                 double std, double low, double high, CodePath path);

/// A table of rows of `columns` elements of the tensor, each rounded once to `dtype`.
RowSource tensor_rows(TensorFill fill, std::int64_t columns, DType dtype);

}  // namespace pegen::torch
