#pragma once

#include <cstdint>
#include <span>

#include "numerics/sinusoid.h"

namespace pegen::numerics {

/// A function and a position, with the bits of function(position) rounded once to float32.
struct KnownValue {
    double position;
    Function function;
    std::uint32_t bits;
};

/// Returns values within 2^-26 ULP of a midpoint between two float32 numbers: slightly wrong
/// arithmetic rounds them to the other side.
std::span<const KnownValue> hard_values();

/// Evaluates the values with the arithmetic of this build on this machine, in less than a
/// millisecond. Throws: InternalError if a value is wrong.
void self_test(std::span<const KnownValue> values = hard_values());

}  // namespace pegen::numerics
