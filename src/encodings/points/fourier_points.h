#pragma once

#include <vector>

#include "encodings/points/fourier_bands.h"
#include "encodings/points/fourier_proposal.h"

namespace pegen::encodings {

/// Returns what Fourier features of any points the array may be, with frequencies of this form; the
/// points are read from it.
std::vector<evidence::Proposal> fourier_of_points(const FourierArray& array, BandForm form);

}  // namespace pegen::encodings
