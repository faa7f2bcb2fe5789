#pragma once

#include <vector>

#include "evidence/sample.h"
#include "identify/identify.h"

namespace pegen::identify {

/// Keeps the candidates that agree with the values in memory and cost little more than the best one
/// of them, the best first.
std::vector<Candidate> rivals_among(std::vector<Candidate> candidates,
                                    const evidence::Sample& array);

/// True if a candidate agrees with the array as closely as the best one, and costs so little more
/// that it may be meant.
bool is_rival(const Candidate& candidate, const Candidate& best, const evidence::Sample& array);

}  // namespace pegen::identify
