#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

namespace pegen::cli {

/// The topic of the help that a command line requests.
struct HelpQuestion {
    std::vector<std::string_view> topic;  ///< {"apply", "rope"}; empty for help on the program
    HelpLength length = HelpLength::brief;
};

/// Returns the topic if the arguments contain --help or -h; otherwise nothing. The topic may come
/// before the option, after it, or on both sides: "apply --help rope". A final "all" after the
/// option requests full help.
std::optional<HelpQuestion> help_question(std::span<const std::string_view> arguments);

/// Returns the help on the topic. Throws: UsageError if there is no such topic.
std::string help_on(const HelpQuestion& question);

}  // namespace pegen::cli
