#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor_fill.h"

/// Elements first ... first + count - 1 of a tensor.
inline std::vector<float> values_of(const pegen::TensorFill& fill, std::int64_t first,
                                    std::int64_t count) {
    std::vector<float> values;
    fill(first, count, [&](std::span<const float> some) {
        values.insert(values.end(), some.begin(), some.end());
    });
    return values;
}
