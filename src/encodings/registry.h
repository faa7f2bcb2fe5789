#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "encodings/encoding.h"

namespace pegen {

/// Returns every encoding, alphabetically.
std::span<const Encoding* const> all_encodings();

/// Returns every attention mechanism, in the order of the help. A mechanism is an encoding named
/// "attention NAME", whose tables are what a model computes with positions.
std::span<const Encoding* const> all_mechanisms();

/// Returns the encoding `plot`, whose table is the array in the file that the parameter npy-in
/// names.
const Encoding& array_of_file();

/// Returns the encoding `concat`, whose table joins the tables that the parameter parts names.
const Encoding& concatenation();

/// Returns the encoding whose parameter config names a model's configuration.
const Encoding& configurable_encoding();

/// Returns every preset of every encoding, alphabetically.
std::span<const Preset> all_presets();

/// Returns the encoding, the mechanism, "plot" or "concat" of this name; nullptr if there is none.
const Encoding* find_encoding(std::string_view name);
const Preset* find_preset(std::string_view name);

}  // namespace pegen
