#pragma once

#include <vector>

#include "encodings/points/fourier_bands.h"
#include "encodings/points/fourier_proposal.h"
#include "evidence/point_grid.h"

namespace pegen::encodings {

/// Returns what Fourier features of the points of this grid the array may be, with frequencies of
/// this form, the cheapest first.
///
/// Sines and cosines show products of coordinates and frequencies, modulo whole turns. So --coords
/// are tried, the usual ones or those of the raw channels; then the factor by which the first
/// frequency makes angles of them is one of a few simple numbers, and the other frequencies follow.
std::vector<evidence::Proposal> fourier_of_grid(const FourierArray& array, BandForm form,
                                                const evidence::PointGrid& grid);

}  // namespace pegen::encodings
