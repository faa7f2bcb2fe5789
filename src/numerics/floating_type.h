#pragma once

#include <type_traits>

#include "core/dtype.h"

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

}  // namespace pegen::numerics
