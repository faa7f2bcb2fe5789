#pragma once

#include "evidence/sample.h"
#include "identify/identify.h"

namespace pegen::identify {

/// Returns what it costs to describe the array by the candidate, in bits: what its parameters cost,
/// and what the values cost that are not exactly its own. The least is the best.
/// Precondition: the candidate agrees at some level.
double score_of(const Candidate& candidate, const evidence::Sample& array);

/// True if the values say enough for the candidate to be claimed.
bool is_supported(const Candidate& candidate, const evidence::Sample& array);

}  // namespace pegen::identify
