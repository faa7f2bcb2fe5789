#pragma once

#include <string_view>

#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// The positions of models that are not those of rope.
struct UnrotatedPositions {
    std::string_view names;          ///< model types or class names, separated by spaces
    std::string_view kind;           ///< "learned positions"
    std::string_view commands = "";  ///< patterns for sized_command(), separated by semicolons
    bool is_certain = false;         ///< true even if the file has keys of rotary positions
    /// The place of a value that must be false or below 1 if the model is to have these positions;
    /// "" if there is no such condition.
    std::string_view switched_off = "";
    bool is_off_by_default = true;  ///< whether the condition holds if the value is missing
};

/// Returns the positions of a model type that has no rotary ones, as this file has them; nullptr if
/// they are not known.
const UnrotatedPositions* find_unrotated(const Section& root, std::string_view model_type);

/// Returns the positions of this kind, a value of position_embedding_type; nullptr if they are
/// rotary or not known.
const UnrotatedPositions* find_kind(std::string_view kind);

/// Returns the pattern of the command for a model of images or videos, a preset of rope-grid, by
/// its model_type or the _class_name of Diffusers; "" if it is not known.
std::string_view grid_command(std::string_view name);

}  // namespace pegen::encodings
