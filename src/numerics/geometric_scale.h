#pragma once

#include <cstdint>

namespace pegen::numerics {

/// A logarithmic scale of whole numbers: the value of step k is from * (to / from)^(k / steps), so
/// that step 0 has the value `from` and step `steps` the value `to`.
struct GeometricScale {
    std::int64_t from;
    std::int64_t to;
    std::int64_t steps;
};

/// The last step whose value is at most some number, and the first step whose value is at least
/// that number.
struct StepsAround {
    std::int64_t before;
    std::int64_t after;
};

/// Returns the steps around `x`; both are the same step if its value is `x`. Whole numbers decide
/// whether it is, not the rounding of logarithms; elsewhere logarithms of as many bits as it takes
/// decide on which side of a step `x` is.
/// Precondition: 0 < from < to, from <= x and steps > 0, and no number exceeds 2^53.
StepsAround steps_around(const GeometricScale& scale, std::int64_t x);

}  // namespace pegen::numerics
