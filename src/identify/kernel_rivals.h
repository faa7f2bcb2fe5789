#pragma once

#include <vector>

#include "identify/rotary_kernel.h"
#include "identify/rotary_search.h"

namespace pegen::identify {

/// True if both turn each pair by the same angles in all rows, now and in longer arrays.
bool turn_alike(const RotaryKernel& a, const RotaryKernel& b);

/// Returns the kernels that may be meant instead of the best one: those that agree with the sample
/// as well and are hardly less simple, those of presets, and other scalings, whose agreement is yet
/// to be seen.
std::vector<RotaryFinding> rivals_of(const RotaryFinding& best,
                                     const std::vector<RotaryFinding>& agreeing);

}  // namespace pegen::identify
