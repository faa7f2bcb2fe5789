#pragma once

#include <vector>

#include "evidence/sample.h"
#include "identify/identify.h"

namespace pegen::identify {

/// Which candidates rivals_among() keeps.
enum class Kept {
    rivals,  ///< those that cost little more than the best one
    all,     ///< those that cost more, too: the whole array may refute the best ones
};

/// Keeps the candidates that agree with the values in memory, the best first.
std::vector<Candidate> rivals_among(std::vector<Candidate> candidates,
                                    const evidence::Sample& array, Kept which);

/// True if a candidate agrees with the array as closely as the best one, and costs so little more
/// that it may be meant.
bool is_rival(const Candidate& candidate, const Candidate& best, const evidence::Sample& array);

}  // namespace pegen::identify
