#pragma once

#include <span>
#include <string_view>

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

}  // namespace pegen::cli
