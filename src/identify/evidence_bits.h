#pragma once

#include "evidence/sample.h"
#include "identify/identify.h"

namespace pegen::identify {

/// Returns what an array says for a command that agrees with it at this level, in bits: each value
/// that is not that of its neighbour to the left or above says how many of the numbers in its range
/// it is not. Looks at some ten thousand values.
double evidence_in(const evidence::Sample& array, Level level);

}  // namespace pegen::identify
