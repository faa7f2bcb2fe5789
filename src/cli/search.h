#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encodings/registry.h"

namespace pegen::cli {

/// An encoding or a preset that was looked for.
struct Found {
    const Encoding* encoding;
    const Preset* preset;  ///< null for an encoding
    std::string where;     ///< what names it, if its name and its summary do not: "its source: ..."
};

/// Returns the encodings and presets that have all words of `text` in their names, aliases,
/// summaries, sources or notes, whatever the case, hyphens and underscores: first those that are
/// called so. Throws: UsageError if there is none, with the reason for what is out of scope.
std::vector<Found> search_names(std::string_view text);

/// Returns why the program does not make what one of the words names; "" if it is none of those.
/// Words are separated by spaces, hyphens or underscores.
std::string_view why_out_of_scope(std::string_view text);

}  // namespace pegen::cli
