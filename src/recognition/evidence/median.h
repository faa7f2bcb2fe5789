#pragma once

#include <algorithm>
#include <vector>

namespace pegen::evidence {

/// Returns the median; of an even number of values, the larger of the two in the middle.
/// Precondition: there is a value.
inline double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
}

}  // namespace pegen::evidence
