#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"

namespace pegen::cli {

/// An option as the user typed it.
struct GivenOption {
    const ParameterSpec* spec;
    std::string text;  ///< of a flag "true" or "false"
};

struct Arguments {
    std::vector<GivenOption> options;      ///< each at most once: the last one wins
    std::vector<std::string> positionals;  ///< what is no option and no option's value

    bool has(const ParameterSpec& spec) const;
};

/// Takes the arguments apart. An option is --name or one of its aliases; '_' stands for '-'; the
/// value follows as its own argument or behind '='. A spec whose name has one letter is -n.
/// Throws: UsageError for an unknown option, with the nearest known one, and for a missing value.
Arguments parse_arguments(std::span<const std::string_view> arguments,
                          const std::vector<const ParameterSpec*>& specs);

/// `parameters` with those values that are given for them. Throws: UsageError for one that is not
/// allowed.
Parameters with_options(Parameters parameters, const std::vector<GivenOption>& options);

}  // namespace pegen::cli
