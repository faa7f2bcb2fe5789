#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/registry.h"

namespace pegen::cli {

/// A model, a tutorial or a code base that people search for and that no preset is named after.
struct Model {
    std::string_view names;    ///< separated by spaces: "minilm bge e5"
    std::string_view command;  ///< which makes its table, without pe-gen: "bert --len 514"
    std::string_view note = "";
};

/// The command for models of many sizes, whose own files have them.
inline constexpr std::string_view by_config = "rope --config config.json";

/// Returns all models. No name is the name of anything else, in any spelling.
std::span<const Model> all_models();

/// A search result: an encoding, a preset, or what makes the table of a model.
struct Found {
    const Encoding* encoding;
    const Preset* preset;          ///< null for an encoding
    std::string where;             ///< the matching field, if not name or summary: "from: ..."
    std::string_view command;      ///< which makes the table, without pe-gen: "bert --d 384"
    const Model* model = nullptr;  ///< null for an encoding, a preset and a model type
    bool is_whole = false;         ///< whether the field has whole words of the search
};

/// Returns the encodings, mechanisms and presets that match a search: one of their fields (name,
/// aliases, summary, source, formula or note) has words that begin with all words of `text`; and
/// what makes the tables of models and model types of config.json whose names do. Case, hyphens and
/// underscores do not matter, and Chinese words are translated. Those with exactly this name come
/// first, then those whose name has the words. If nothing matches, `text` may have a name among its
/// words, as "openai/whisper-large-v3" has whisper: what the longest one finds is returned. If
/// there is none, parts of words match. Returns {} if nothing does.
std::vector<Found> found_names(std::string_view text);

/// Returns found_names(text). Throws: UsageError if nothing matches, with the reason if the subject
/// is out of scope.
std::vector<Found> search_names(std::string_view text);

/// Returns the model of this name, in any spelling; null if there is none.
const Model* find_model(std::string_view name);

/// Returns the reason why pe-gen does not make the thing that one of the words names; "" if no word
/// names a thing that is out of scope. Words are separated by spaces, hyphens, underscores,
/// slashes or points.
std::string_view why_out_of_scope(std::string_view text);

}  // namespace pegen::cli
