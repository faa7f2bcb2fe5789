#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Says with which parameters `sinusoid` may make the array: its tables encoding, one row of it, a
/// part of its channels, frequencies and wavelengths.
std::vector<evidence::Proposal> recognize_sinusoid(const evidence::Sample& array);

}  // namespace pegen::encodings
