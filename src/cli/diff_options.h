#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "core/parameters.h"

namespace pegen::cli {

/// The arguments before the first "--" of a `diff`, checked.
struct DiffSettings {
    Parameters own;
    Parameters figure;
    std::vector<std::string> files;
};

/// The options, as the help shows them.
std::vector<OptionGroup> diff_options();

/// Reads the arguments before the first "--". Throws: UsageError, also for an encoding in the place
/// of a file.
DiffSettings parse_diff_settings(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
