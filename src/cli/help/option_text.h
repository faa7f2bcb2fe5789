#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"

// Descriptions of options for help and for the manual.
namespace pegen::cli {

/// Returns the placeholder of the option's value: " N", " FILE"; "" for a flag.
std::string_view placeholder(const ParameterSpec& spec);

/// Returns the option's aliases of more than one letter: "--max-len --seq-len".
std::string long_aliases(const ParameterSpec& spec);

/// Returns what the option does, its choices, and its default. `initial` is the default; "" for
/// none.
std::string explanation(const ParameterSpec& spec, std::string_view initial);

/// Returns the default of a parameter for explanation(): "" for a flag, and if there is none.
std::string initial_value(const Parameters::Entry& parameter);

}  // namespace pegen::cli
