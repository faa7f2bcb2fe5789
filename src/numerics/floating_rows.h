#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/table.h"
#include "numerics/floating_point.h"
#include "numerics/floating_type.h"

namespace pegen::numerics {

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
