#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Returns settings of xpos with which one of its tables may be this array: see Encoding.
std::vector<evidence::Proposal> recognize_xpos(const evidence::Sample& array);

}  // namespace pegen::encodings
