#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Says with which parameters `transformer-xl` may make the array. Of --range causal only len +
/// mem-len is seen.
std::vector<evidence::Proposal> recognize_transformer_xl(const evidence::Sample& array);

}  // namespace pegen::encodings
