#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: images drawn after one of the usual seeds.
std::vector<evidence::Proposal> recognize_learned_grid(const evidence::Sample& sample);

}  // namespace pegen::encodings
