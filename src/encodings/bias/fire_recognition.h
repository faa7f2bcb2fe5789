#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: the seed of the network from the bias of distance 0, then c and the
/// threshold from the inputs that explain two other distances.
std::vector<evidence::Proposal> recognize_fire(const evidence::Sample& sample);

}  // namespace pegen::encodings
