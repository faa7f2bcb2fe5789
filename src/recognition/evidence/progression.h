#pragma once

#include <cstdint>
#include <vector>

namespace pegen::evidence {

/// Returns the `count` numbers first, first + step, ...
inline std::vector<std::int64_t> progression(std::int64_t first, std::int64_t step,
                                             std::int64_t count) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(first + i * step);
    return numbers;
}

}  // namespace pegen::evidence
