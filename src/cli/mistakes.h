#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/subject.h"
#include "core/parameters.h"

namespace pegen::cli {

// Hints for names that users look for and that pe-gen has under another name or does not have.

/// Returns a hint for an unknown name of an encoding or a command, in any spelling: "rotary
/// positions are the encoding rope". Returns "" if there is no hint.
std::string_view hint_for_name(std::string_view name);

/// Returns a hint for a file format that pe-gen does not write. `name` is an extension or the name
/// of an option: "pdf". Returns "" if there is no hint.
std::string_view hint_for_format(std::string_view name);

// Messages about arguments that are not valid: each says what is wrong, and what the user most
// likely meant.

/// Returns the message about a name that is no encoding, preset or command.
std::string unknown_name(std::string_view name);

/// Returns the message about an unknown option such as "--lne". `specs` are the options that the
/// encoding, preset or command `owner` has.
std::string unknown_option(std::string_view option, const std::vector<const ParameterSpec*>& specs,
                           std::string_view owner);

/// Returns the message about an option in front of all names, as in "pe-gen --quiet sinusoid".
std::string option_without_name(std::string_view option);

/// Returns the message about arguments that are neither options nor their values, as in "pe-gen
/// sinusoid 128 400".
std::string unexpected_arguments(const std::vector<std::string>& arguments, const Subject& subject);

}  // namespace pegen::cli
