#pragma once

#include <vector>

#include "evidence/sample.h"
#include "identify/identify.h"

namespace pegen::identify {

/// Gives the candidate, which agrees with the array, the defaults of all parameters that make no
/// difference to this array, and numbers next to its own that agree better.
void simplify(Candidate& found, const evidence::Sample& array);

/// Looks for other commands that make the same array: those of presets, those with one or two
/// choices made otherwise, and those with another number where none has an effect. Fills
/// `found.presets` with the presets whose tables are the same at all sizes; returns the others, the
/// cheapest first. `rivals` are candidates that agree with the array as well.
std::vector<Alternative> alternatives_of(Candidate& found, const evidence::Sample& array,
                                         const std::vector<Candidate>& rivals);

}  // namespace pegen::identify
