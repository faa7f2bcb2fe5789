#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Proposes Segment Anything's images of any height and width, if sines and cosines are in halves.
/// Other drawn matrices are recognized only by the presets that draw them.
std::vector<evidence::Proposal> recognize_random_fourier(const evidence::Sample& sample);

}  // namespace pegen::encodings
