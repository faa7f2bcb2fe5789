#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: the coordinates, and the window they were divided by.
std::vector<evidence::Proposal> recognize_swin_v2(const evidence::Sample& sample);

}  // namespace pegen::encodings
