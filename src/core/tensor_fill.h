#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/table.h"

// Tensors of random float32 values, computed when elements are read.
namespace pegen {

/// The number of values made at a time: as many as fit the L1 cache.
inline constexpr std::int64_t floats_at_once = 2048;

/// A function that receives the values of a range, a part at a time, in order.
using TakeFloats = std::function<void(std::span<const float> values)>;

/// A function that passes elements first ... first + count - 1 of a tensor to `take`, at most
/// floats_at_once at a time.
using TensorFill =
    std::function<void(std::int64_t first, std::int64_t count, const TakeFloats& take)>;

/// Returns elements first ... first + count - 1 of the tensor.
template <class T = double>
std::vector<T> elements_of(const TensorFill& fill, std::int64_t first, std::int64_t count) {
    std::vector<T> elements;
    elements.reserve(count);
    fill(first, count, [&](std::span<const float> values) {
        elements.insert(elements.end(), values.begin(), values.end());
    });
    return elements;
}

/// Returns the tensor as `rows` rows of `columns` elements, each rounded once to `dtype`.
Rows tensor_rows(TensorFill fill, std::int64_t rows, std::int64_t columns, DType dtype);

}  // namespace pegen
