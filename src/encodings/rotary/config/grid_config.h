#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encodings/other_encodings.h"
#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// A command of this program with the sizes of a model's own file in it.
struct SizedCommand {
    std::string text;  ///< "bert --len 512 --d 768"
    std::vector<OtherEncodings::Taken> taken;
};

/// Fills the placeholders of `pattern`, "bert --len {max_position_embeddings:512}": a value of the
/// section, or the default behind the colon. An option without a value and a default is left out.
/// `a.b` is key b of object a, `a.0` a number of the list a, or the number a itself. `a|b` is the
/// first that has a value above 0, or the last, and a sum of products of quotients, rounded down,
/// has one if all its parts have. Defaults are called those of `model`. Throws: FormatError, naming
/// the key, if a value is not a number.
SizedCommand sized_command(const Section& section, std::string_view model,
                           std::string_view pattern);

/// Checks that a command, "bert --len 512", makes a table. Throws: FormatError, about the file
/// `path`, which has its values.
void check_makes_table(std::string_view command, std::string_view path);

/// Reads the configuration `path` of a model of images or videos, of Hugging Face or Diffusers, or
/// of one with such a part, its vision_config. Returns a preset of rope-grid, with the sizes of the
/// file. Throws: FileError; FormatError, naming the key, if the model or a value is not known.
SizedCommand read_grid_config(std::string_view path);

/// Returns the commands for the positions of the file's vision_config, "pe-gen clip-vision --len 50
/// --d 768"; "" if there is none, or none is known.
std::string vision_commands(const Section& file);

}  // namespace pegen::encodings
