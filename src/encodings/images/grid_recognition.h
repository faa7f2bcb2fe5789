#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Returns the grids that the array may be a table of: as tokens, behind rows of zeros, as a grid
/// or with its channels first.
std::vector<evidence::Proposal> recognize_grid(const evidence::Sample& array);

}  // namespace pegen::encodings
