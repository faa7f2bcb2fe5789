#pragma once

#include <vector>

#include "encodings/sequence/sinusoid_layouts.h"
#include "encodings/sequence/sinusoid_proposals.h"

namespace pegen::encodings {

/// Adds the usual bases, factors and positions whose angles, up to whole turns, are those of this
/// layout. Where the fastest pairs turn more than once from row to row and few others are there to
/// say how often, measured numbers are too many.
void add_usual_numbers(std::vector<PricedProposal>& found, const evidence::Sample& array,
                       const SinusoidRows& rows, const SinusoidLayout& layout);

}  // namespace pegen::encodings
