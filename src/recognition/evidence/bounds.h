#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "recognition/evidence/simple_number.h"

namespace pegen::evidence {

/// A closed interval of numbers, ends included. The interval is empty unless `low` is below `high`.
struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool is_empty() const { return !(low <= high); }
    bool is_bounded() const { return std::isfinite(low) && std::isfinite(high); }
    bool contains(double value) const { return low <= value && value <= high; }
    double middle() const { return low + (high - low) / 2; }
    Measured measured() const { return {middle(), (high - low) / 2}; }
};

inline Bounds both(const Bounds& a, const Bounds& b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

inline Bounds bounds_of(const Measured& number) {
    return {number.value - number.error, number.value + number.error};
}

/// Returns the cheapest numbers within the bounds, `most` at most; none if the bounds are empty or
/// infinite.
std::vector<SimpleNumber> numbers_within(const Bounds& bounds, std::size_t most);

}  // namespace pegen::evidence
