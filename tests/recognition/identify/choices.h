#pragma once

#include <string_view>
#include <vector>

#include "recognition/identify/trial.h"

namespace pegen::trials {

/// A word chosen for a parameter, or a flag that is given.
struct Choice {
    std::string_view parameter;
    std::string_view word;      ///< "true" for a flag
    std::vector<Trial> trials;  ///< small tables that the choice changes
};

/// Returns the choices of all words and flags of the encoding but the defaults.
std::vector<Choice> choices_of(const Encoding& encoding);

}  // namespace pegen::trials
