#pragma once

#include <cstdint>
#include <vector>

#include "evidence/simple_number.h"
#include "identify/kernel_turns.h"
#include "identify/rotary_kernel.h"

// The number that a kernel multiplies cos and sin by.
namespace pegen::identify {

/// Returns the factor of the turns, with its error.
evidence::Measured factor_of(const Turns& turns);

/// Returns the cheapest positive numbers that the measured factor may be. A softmax has 1 divided
/// by the square root of the channels.
std::vector<evidence::SimpleNumber> simple_factors(const evidence::Measured& measured,
                                                   std::int64_t channels);

/// Returns the attention factor that the settings of a kernel have by themselves.
/// Throws: UsageError if they do not go together.
double own_factor(const RotaryKernel& kernel);

/// Gives the kernel a factor, `text` as one types it. False if its scaling has none.
bool set_factor(RotaryKernel& kernel, const evidence::SimpleNumber& factor);

}  // namespace pegen::identify
