#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: d and base from the values of one head.
std::vector<evidence::Proposal> recognize_sandwich(const evidence::Sample& sample);

}  // namespace pegen::encodings
