#pragma once

#include <optional>
#include <string>

#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// A candidate with --arith bfloat16 or float16.
struct Candidate16 {
    Candidate candidate;
    std::string text;  ///< "the frequencies are rounded to bfloat16"
};

/// Returns the candidate with the 16-bit arithmetic that makes the array of its sines and cosines;
/// nothing if none does, or if the encoding has no such arithmetic. A way is returned only if its
/// table agrees with the array, but for a few values that float32 code rounded to the other side of
/// a tie, and also where it differs from the exact table.
std::optional<Candidate16> in_16_bits(const Candidate& candidate, const Sample& array);

}  // namespace pegen::recognition
