#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: every form, mask and rule of slopes; max-bias from the slopes.
std::vector<evidence::Proposal> recognize_alibi(const evidence::Sample& sample);

}  // namespace pegen::encodings
