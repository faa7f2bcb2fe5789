#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/request.h"

namespace pegen::cli {

using Words = std::span<const std::string_view>;

/// Splits a command line at each "--".
std::vector<Words> parts_of(Words arguments);

/// Reads the words after a "--" of `command`: an encoding or preset, and the options for one table
/// of it. `example` is a command line for messages.
/// Throws: UsageError, also for any other option.
Request parse_behind_dashes(Words words, std::string_view command, std::string_view example);

}  // namespace pegen::cli
