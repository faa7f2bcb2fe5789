#pragma once

#include <string_view>

namespace pegen::encodings {

/// The positions of models that are not those of rope.
struct UnrotatedPositions {
    std::string_view names;          ///< model types or class names, separated by spaces
    std::string_view kind;           ///< "learned positions"
    std::string_view commands = "";  ///< patterns for sized_command(), separated by semicolons
    bool is_certain = false;         ///< true even if the file has keys of rotary positions
};

/// Returns the positions of a model type that has no rotary ones; nullptr if it is not known.
const UnrotatedPositions* find_unrotated(std::string_view model_type);

/// Returns the positions of this kind, a value of position_embedding_type; nullptr if they are
/// rotary or not known.
const UnrotatedPositions* find_kind(std::string_view kind);

/// Returns the pattern of the command for a model of images or videos, a preset of rope-grid, by
/// its model_type or the _class_name of Diffusers; "" if it is not known.
std::string_view grid_command(std::string_view name);

}  // namespace pegen::encodings
