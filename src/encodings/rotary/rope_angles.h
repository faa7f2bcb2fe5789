#pragma once

#include <vector>

#include "evidence/proposal.h"
#include "evidence/sample.h"

// Tables of rope that show frequencies as they are: no angle is wrapped.
namespace pegen::encodings {

/// Returns what a table of angles may be: position times frequency.
std::vector<evidence::Proposal> propose_angles(const evidence::Sample& array);

/// Returns what a vector of frequencies or of wavelengths may be.
std::vector<evidence::Proposal> propose_vectors(const evidence::Sample& array);

}  // namespace pegen::encodings
