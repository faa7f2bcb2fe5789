#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

namespace pegen::cli {

/// What a command line asks help on.
struct HelpQuestion {
    std::vector<std::string_view> topic;  ///< {"apply", "rope"}; {}: the program
    HelpLength length = HelpLength::brief;
};

/// Finds --help or -h. The topic stands before it, behind it, or on both sides: "apply --help
/// rope". "all" behind it asks for full help.
std::optional<HelpQuestion> help_question(std::span<const std::string_view> arguments);

/// Returns the help on the topic. Throws: UsageError if there is none.
std::string help_on(const HelpQuestion& question);

}  // namespace pegen::cli
