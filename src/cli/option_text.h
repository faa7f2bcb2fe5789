#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"

// What help and the manual say of an option.
namespace pegen::cli {

/// What stands behind the name of the option: " N", " FILE"; "" for a flag.
std::string_view placeholder(const ParameterSpec& spec);

/// Its other names of more than one letter: "--max-len --seq-len".
std::string long_aliases(const ParameterSpec& spec);

/// What it does, its choices, and its value if it is not given; `initial` is "" for none.
std::string explanation(const ParameterSpec& spec, std::string_view initial);

/// The value of a parameter as an explanation has it: "" for a flag, and for none.
std::string initial_value(const Parameters::Entry& parameter);

}  // namespace pegen::cli
