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
    std::string text;  ///< "true" or "false" for a flag
    /// Of an option of a format: unless the user gave it, it may have no effect on the file.
    Origin origin = Origin::user;
};

struct Arguments {
    std::vector<GivenOption>
        options;  ///< outputs in their order; all others at most once: the last wins
    std::vector<std::string> positionals;  ///< neither options nor values of options

    bool has(const ParameterSpec& spec) const;
};

/// Splits the arguments into options and positionals. An option is --name or one of its aliases, of
/// which one of a single letter is -n; '_' stands for '-'. The value is the next argument or
/// follows a '='. Throws: UsageError for an unknown option, with the nearest known one, and for a
/// missing value, and for a second file where one can be used. `owner` is the encoding, preset or
/// command whose options they are.
Arguments parse_arguments(std::span<const std::string_view> arguments,
                          const std::vector<const ParameterSpec*>& specs, std::string_view owner);

/// Returns the options of `specs` as `options` set them, and passes over others.
/// Throws: UsageError for a value that is not allowed.
Parameters set_options(std::span<const ParameterSpec> specs,
                       const std::vector<GivenOption>& options);

/// Sets the parameters of an encoding that `options` name, and passes over others. Expressions stay
/// to be evaluated when all parameters are known. Throws: as set_options.
Parameters with_options(Parameters parameters, const std::vector<GivenOption>& options);

}  // namespace pegen::cli
