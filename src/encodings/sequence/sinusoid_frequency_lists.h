#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::encodings {

/// Says with which parameters the tables frequencies and wavelengths of `sinusoid` may be this
/// vector: falling or rising numbers of equal ratio.
std::vector<evidence::Proposal> sinusoid_frequency_lists(const evidence::Sample& array);

}  // namespace pegen::encodings
