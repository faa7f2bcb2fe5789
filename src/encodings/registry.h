#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "encodings/encoding.h"
#include "encodings/preset.h"

namespace pegen {

/// Returns every encoding, alphabetically.
std::span<const Encoding* const> all_encodings();

/// Returns every preset of every encoding, alphabetically.
std::span<const Preset> all_presets();

/// Returns nullptr if there is none of this name.
const Encoding* find_encoding(std::string_view name);
const Preset* find_preset(std::string_view name);

}  // namespace pegen
