#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: the buckets, and biases that have them, drawn or in a file.
std::vector<evidence::Proposal> recognize_t5(const evidence::Sample& sample);

}  // namespace pegen::encodings
