#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: the index, and biases that have it, drawn or in a file.
std::vector<evidence::Proposal> recognize_swin(const evidence::Sample& sample);

}  // namespace pegen::encodings
