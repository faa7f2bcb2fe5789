#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encodings/registry.h"

namespace pegen::cli {

/// A search result: an encoding or a preset.
struct Found {
    const Encoding* encoding;
    const Preset* preset;  ///< null for an encoding
    std::string where;     ///< the matching field, if not name or summary: "from: ..."
};

/// Returns the encodings, mechanisms and presets that match a search: one of their fields (name,
/// aliases, summary, source, formula or note) has words that begin with all words of `text`; and
/// rope for each model type of config.json that does. Case, hyphens and underscores do not matter,
/// and Chinese words are translated. Those with exactly this name come first, then those whose name
/// has the words. If nothing matches, parts of words match. Throws: UsageError if nothing matches,
/// with the reason if the subject is out of scope.
std::vector<Found> search_names(std::string_view text);

/// Returns the reason why pe-gen does not make the thing that one of the words names; "" if no word
/// names a thing that is out of scope. Words are separated by spaces, hyphens or underscores.
std::string_view why_out_of_scope(std::string_view text);

}  // namespace pegen::cli
