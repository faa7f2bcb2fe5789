#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Says with which parameters `relative` may make the array.
std::vector<evidence::Proposal> recognize_relative(const evidence::Sample& array);

}  // namespace pegen::encodings
