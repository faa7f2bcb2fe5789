#pragma once

#include <vector>

#include "identify/kernel_convention.h"
#include "identify/kernel_view.h"

namespace pegen::identify {

/// Returns the conventions under which the turns of a sample look like rotations, the likeliest
/// first, a few at most. `unit` is as for measure_turns.
std::vector<Convention> likely_conventions(const KernelSample& sample, double unit);

}  // namespace pegen::identify
