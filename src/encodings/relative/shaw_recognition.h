#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: the index; the gathered vectors, drawn or in a file.
std::vector<evidence::Proposal> recognize_shaw(const evidence::Sample& sample);

}  // namespace pegen::encodings
