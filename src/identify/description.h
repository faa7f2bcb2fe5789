#pragma once

#include <string>

#include "core/dtype.h"
#include "evidence/precision.h"
#include "identify/identify.h"

namespace pegen::identify {

/// What is to be said of an array beside the command that makes it.
struct AnsweredArray {
    DType dtype;                    ///< of the file
    evidence::Precision precision;  ///< of its values
    std::string view;               ///< how it was looked at: View::note
};

/// Gives the candidate its command and its notes.
void describe(Candidate& candidate, const AnsweredArray& array);

/// Returns a number of the command that nobody would type, "--base 26.918"; "" if there is none, or
/// if the command is that of a preset.
std::string unusual_number(const Candidate& candidate);

}  // namespace pegen::identify
