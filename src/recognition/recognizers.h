#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"

namespace pegen::recognition {

/// Says with which parameters one of an encoding's tables may be an array, most likely first: see
/// evidence::Proposal. It need not try what presets and defaults have, extents aside. Never throws,
/// for an array may be anything.
using Recognize = std::vector<evidence::Proposal>(const evidence::Sample& array);

struct Recognizer {
    std::string_view encoding;
    Recognize* recognize;
};

/// Returns a recognizer for each encoding of whose parameters more than extents can be read from an
/// array, alphabetically.
std::span<const Recognizer> all_recognizers();

/// Returns nullptr if the encoding has none.
const Recognizer* find_recognizer(std::string_view encoding);

}  // namespace pegen::recognition
