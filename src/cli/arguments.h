#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"

namespace pegen::cli {

/// Returns the arguments with the words of other code's signatures in the options of this program:
/// --grid-size and --window-size as --height and --width, --img-size with --patch-size as their
/// quotients, --num-freqs as --freqs pow2:K, --std as --init, --causal as --mask causal. A word is
/// left as it is where `specs` has an option of this name, or not the options that say it. `owner`
/// names the encoding or preset that has the options. Throws: UsageError for a word without its
/// value, a size that is no number, or that patches do not divide.
std::vector<std::string> without_signatures(std::span<const std::string_view> arguments,
                                            const std::vector<const ParameterSpec*>& specs,
                                            std::string_view owner);

/// An option as the user typed it.
struct GivenOption {
    const ParameterSpec* spec;
    std::string text;  ///< "true" or "false" for a flag
    /// For an option of a format: who set it. An option that the user did not set may have no
    /// effect on the file.
    Origin origin = Origin::user;
};

struct Arguments {
    std::vector<GivenOption>
        options;  ///< outputs in order; any other option once, with its last value
    std::vector<std::string> positionals;  ///< neither an option nor the value of an option

    bool has(const ParameterSpec& spec) const;
};

/// Splits the arguments into options and positionals. An option is --name or one of its aliases; an
/// alias of a single letter is typed -n. '_' in a name counts as '-'. The value is the next
/// argument or follows a '='. `owner` names the encoding, preset or command that has the options.
/// Throws: UsageError for an unknown option, with the nearest known one; for a missing value; for a
/// second file where only one can be used.
Arguments parse_arguments(std::span<const std::string_view> arguments,
                          const std::vector<const ParameterSpec*>& specs, std::string_view owner);

/// Returns the parameters `specs` with the values that `options` give them. Ignores options that
/// are not in `specs`.
/// Throws: UsageError for a value that is not allowed.
Parameters set_options(std::span<const ParameterSpec> specs,
                       const std::vector<GivenOption>& options);

/// Returns `parameters` with the values that `options` give them. Ignores options that are not
/// among the parameters. Expressions are not evaluated yet: all parameters must be known first.
/// Throws: as set_options().
Parameters with_options(Parameters parameters, const std::vector<GivenOption>& options);

}  // namespace pegen::cli
