#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: tables that PyTorch drew after one of the usual seeds.
std::vector<evidence::Proposal> recognize_learned(const evidence::Sample& sample);

}  // namespace pegen::encodings
