#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Returns settings of rope-grid with which one of its tables may be this array: see Encoding.
std::vector<evidence::Proposal> recognize_rope_grid(const evidence::Sample& array);

}  // namespace pegen::encodings
