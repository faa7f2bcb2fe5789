#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: p and a of each head from the values.
std::vector<evidence::Proposal> recognize_kerple(const evidence::Sample& sample);

}  // namespace pegen::encodings
