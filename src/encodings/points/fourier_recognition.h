#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Returns the Fourier features that the array (points, features) may be: of points on a grid, or
/// of points that are read from the array.
std::vector<evidence::Proposal> recognize_fourier(const evidence::Sample& array);

}  // namespace pegen::encodings
