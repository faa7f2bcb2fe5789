#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encodings/rotary/config/sized_command.h"

namespace pegen::encodings {

/// Reads the configuration `path` of a model of images or videos, of Hugging Face or Diffusers, or
/// of one with such a part, its vision_config. Returns a preset of rope-grid, with the sizes of the
/// file. Throws: FileError; FormatError, naming the key, if the model or a value is not known.
SizedCommand read_grid_config(std::string_view path);

/// Returns the commands for the positions of the file's vision_config, "pe-gen clip-vision --len 50
/// --d 768"; "" if there is none, or none is known.
std::string vision_commands(const Section& file);

}  // namespace pegen::encodings
