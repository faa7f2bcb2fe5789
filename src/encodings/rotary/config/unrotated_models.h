#pragma once

#include <string_view>

#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// True if a key speaks of rotary positions by its name.
bool is_rotary_key(std::string_view key);

/// True if a key of the section, should it not be known, may be about rotary positions by its name,
/// or about layers that differ, and its value does not say that nothing is changed.
bool may_change_table(const Section& section, std::string_view key, std::string_view model_type);

/// True if the section has keys of rotary positions that are not false.
bool has_rotary_keys(const Section& section);

/// Returns the key that says that positions are on a grid of an image or a video, "model_type" or
/// one of the section's; "" if none does.
std::string_view image_key(const Section& section, std::string_view model_type);

/// True if a key, a value or the model's type says that there are rotary positions.
bool is_rotary(const Section& section, std::string_view model_type);

/// Throws: FormatError if the model of this configuration has no rotary positions, with what it has
/// instead, or if it is not known to have them.
void check_is_rotary(const Section& root, std::string_view model_type);

}  // namespace pegen::encodings
