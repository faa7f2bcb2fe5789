#pragma once

#include <vector>

#include "core/progress.h"
#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// Returns what the encodings propose for the array. Calls `progress` for each, with 0 and 0.
std::vector<Candidate> recognized(const evidence::Sample& array,
                                  const Progress& progress = ignore_progress);

/// Returns every table of every encoding and preset that, with extents that fit, has the shape of
/// the array.
std::vector<Candidate> fitted_presets(const evidence::Sample& array);

/// Returns those tables of images whose rows are tokens, of every height and width that make so
/// many.
std::vector<Candidate> fitted_images(const evidence::Sample& array);

}  // namespace pegen::recognition
