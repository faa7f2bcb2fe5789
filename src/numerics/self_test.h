#pragma once

#include <cstdint>
#include <span>

#include "numerics/sinusoid.h"

namespace pegen::numerics {

/// function(position), rounded once to float32: its bits.
struct KnownValue {
    double position;
    Function function;
    std::uint32_t bits;
};

/// Values that lie within 2^-26 ULP of a midpoint between two float32 numbers, where arithmetic
/// that is not quite what it should be rounds to the other side.
std::span<const KnownValue> hard_values();

/// Evaluates the values with the arithmetic of this build on this machine, in a fraction of a
/// millisecond. Throws: InternalError if one comes out differently.
void self_test(std::span<const KnownValue> values = hard_values());

}  // namespace pegen::numerics
