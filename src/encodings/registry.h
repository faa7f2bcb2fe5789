#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "encodings/encoding.h"
#include "encodings/preset.h"

namespace pegen {

/// Returns every encoding, alphabetically.
std::span<const Encoding* const> all_encodings();

/// Returns every mechanism of attention, in the order of the help: encodings called "attention
/// NAME", whose tables are what a model computes with positions.
std::span<const Encoding* const> all_mechanisms();

/// Returns what `plot` makes tables of: the array of a file, whose name its parameter npy-in is.
const Encoding& array_of_file();

/// Returns what `concat` makes tables of: the tables that its parameter parts names.
const Encoding& concatenation();

/// Returns every preset of every encoding, alphabetically.
std::span<const Preset> all_presets();

/// Finds an encoding, a mechanism, "plot" or "concat". Returns nullptr if there is none of this
/// name.
const Encoding* find_encoding(std::string_view name);
const Preset* find_preset(std::string_view name);

}  // namespace pegen
