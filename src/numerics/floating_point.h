#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "core/default_floating_point.h"
#include "core/dtype.h"
#include "core/table.h"

namespace pegen::numerics {

/// Calls call(std::type_identity<T>()) with the type T of the elements of `dtype`.
/// Precondition: dtype is float32, float64, float16 or bfloat16.
template <class Call>
void with_floating_type(DType dtype, const Call& call) {
    switch (dtype) {
        case DType::float64:
            return call(std::type_identity<double>());
        case DType::float16:
            return call(std::type_identity<float16>());
        case DType::bfloat16:
            return call(std::type_identity<bfloat16>());
        default:
            return call(std::type_identity<float>());
    }
}

/// Returns rows that fill(std::type_identity<T>(), range, out) fills in the usual floating-point
/// arithmetic, where T is the type of the elements.
/// Precondition: dtype is float32, float64, float16 or bfloat16.
template <class Fill>
Rows floating_rows(std::int64_t count, std::int64_t columns, DType dtype, Fill fill) {
    return {[=, fill = std::move(fill)](RowRange range, std::span<std::byte> out) {
                const DefaultFloatingPoint arithmetic;
                with_floating_type(dtype, [&](auto type) { fill(type, range, out); });
            },
            count, columns, dtype};
}

}  // namespace pegen::numerics
