#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Says with which parameters `binary` may make the array.
std::vector<evidence::Proposal> recognize_binary(const evidence::Sample& array);

}  // namespace pegen::encodings
