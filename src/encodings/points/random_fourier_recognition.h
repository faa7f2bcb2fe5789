#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Proposes the presets' matrices, on grids of any size, if sines and cosines are in halves. Other
/// drawn matrices are not recognized.
std::vector<evidence::Proposal> recognize_random_fourier(const evidence::Sample& sample);

}  // namespace pegen::encodings
