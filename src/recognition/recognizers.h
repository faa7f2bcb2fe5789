#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"

namespace pegen::recognition {

/// A function that returns the parameters with which one of an encoding's tables may be the array,
/// most likely first: see Proposal. The function may leave out the parameters of presets
/// and the defaults, with any extents. It never throws, because an array may hold anything.
using Recognize = std::vector<Proposal>(const Sample& array);

struct Recognizer {
    std::string_view encoding;
    Recognize* recognize;
};

/// Returns the recognizers in alphabetical order: one for each encoding that has parameters,
/// besides extents, that can be read from an array.
std::span<const Recognizer> all_recognizers();

/// Returns the recognizer of the encoding; nullptr if it has none.
const Recognizer* find_recognizer(std::string_view encoding);

}  // namespace pegen::recognition
