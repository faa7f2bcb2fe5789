#pragma once

#include <vector>

#include "core/progress.h"
#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// Returns the candidates that the encodings propose for the array. Calls `progress` with 0 and 0
/// for each encoding.
std::vector<Candidate> recognized(const Sample& array, const Progress& progress = ignore_progress);

/// Returns a candidate for every table of every encoding and preset that has the shape of the array
/// when its extents are fitted.
std::vector<Candidate> fitted_presets(const Sample& array);

/// Returns candidates for the tables of images whose rows are tokens, with every height and width
/// that give as many tokens as the array has rows.
std::vector<Candidate> fitted_images(const Sample& array);

}  // namespace pegen::recognition
