#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "core/parameters.h"

namespace pegen::cli {

/// What stands before the first "--" of a `diff`, checked.
struct DiffSettings {
    Parameters own;
    Parameters figure;
    std::vector<std::string> files;
};

/// The options, as the help shows them.
std::vector<OptionGroup> diff_options();

/// Throws: UsageError, also for an encoding where a file belongs.
DiffSettings parse_diff_settings(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
