#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Says with which parameters `normalized` may make the array.
std::vector<evidence::Proposal> recognize_normalized(const evidence::Sample& array);

}  // namespace pegen::encodings
