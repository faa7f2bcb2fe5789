#pragma once

#include <cstdint>

namespace pegen::numerics {

/// A logarithmic scale of whole numbers: step k stands at from * (to / from)^(k / steps), so that
/// step 0 is `from` and step `steps` is `to`.
struct GeometricScale {
    std::int64_t from;
    std::int64_t to;
    std::int64_t steps;
};

/// The last step that stands at a number or before it, and the first that stands at it or behind.
struct StepsAround {
    std::int64_t before;
    std::int64_t after;
};

/// Returns the steps around `x`; they are one and the same if a step stands at `x` itself. Whether
/// it does is decided by whole numbers, not by the rounding of logarithms; elsewhere logarithms of
/// as many bits as it takes say on which side of a step `x` is.
/// Precondition: 0 < from < to, from <= x and steps > 0, none beyond 2^53.
StepsAround steps_around(const GeometricScale& scale, std::int64_t x);

}  // namespace pegen::numerics
