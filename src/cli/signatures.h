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

}  // namespace pegen::cli
