#pragma once

#include <string_view>

#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// True if a key speaks of rotary positions by its name.
bool is_rotary_key(std::string_view key);

/// True if the section has keys of rotary positions that are not false.
bool has_rotary_keys(const Section& section);

/// Throws: FormatError if the model of this configuration has no rotary positions, with what it has
/// instead, or if it is not known to have them.
void check_is_rotary(const Section& root, std::string_view model_type);

}  // namespace pegen::encodings
