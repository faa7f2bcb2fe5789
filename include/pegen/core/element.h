#pragma once

#include <cstddef>
#include <span>

#include "pegen/core/dtype.h"

namespace pegen {

/// `value` rounded once to T, to nearest, ties to even; beyond the largest finite value, infinity.
/// Integers and bool take whole numbers in their range only.
template <class T>
T round_to(double value) {
    return static_cast<T>(value);
}
template <>
float16 round_to<float16>(double value);
template <>
bfloat16 round_to<bfloat16>(double value);

/// The element as a double; exact, but for integers beyond 2^53, which are rounded to nearest.
template <class T>
double widen(T element) {
    return static_cast<double>(element);
}
double widen(float16 element);
double widen(bfloat16 element);

/// Rounds each value to `dtype` and stores it; `out` holds values.size() elements.
void store(std::span<const double> values, DType dtype, std::span<std::byte> out);

/// Reads `out.size()` elements of `dtype`, each widened.
void load(std::span<const std::byte> elements, DType dtype, std::span<double> out);

}  // namespace pegen
