#pragma once

#include <string>

#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// Returns how code in 16 bits makes the array where the candidate's table has exact sines and
/// cosines: "the frequencies are rounded to bfloat16". A way is named only if the table computed
/// that way agrees with the array, and also where it differs from the exact one. Returns "" if no
/// way agrees, or if the candidate's encoding has no table of frequencies.
std::string rounding_in_16_bits(const Candidate& candidate, const Sample& array);

}  // namespace pegen::recognition
