#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Returns settings of rope-grid with which this array of one axis may be its table inv-freq or
/// wavelengths.
std::vector<evidence::Proposal> recognize_grid_frequencies(const evidence::Sample& array);

}  // namespace pegen::encodings
