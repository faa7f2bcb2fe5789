#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// See Encoding::recognize: the buckets and the index.
std::vector<evidence::Proposal> recognize_deberta(const evidence::Sample& sample);

}  // namespace pegen::encodings
