#pragma once

#include <string_view>

#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// True if a key is about rotary positions, judged by its name.
bool is_rotary_key(std::string_view key);

/// True if an unknown key of the section may be about rotary positions, or about layers that
/// differ, judged by its name, unless its value means that nothing changes.
bool may_change_table(const Section& section, std::string_view key, std::string_view model_type);

/// True if the section has a key about rotary positions whose value is not false.
bool has_rotary_keys(const Section& section);

/// Returns the key that shows that positions are on the grid of an image or a video: "model_type"
/// or a key of the section; "" if there is none.
std::string_view image_key(const Section& section, std::string_view model_type);

/// True if a key, a value or the model's type shows that the positions are rotary.
bool is_rotary(const Section& section, std::string_view model_type);

/// Checks the value of the key on which it depends whether this model, of a model_type or a
/// _class_name, has rotary positions. Throws: as check_is_rotary, if it has others.
void check_condition(const Section& root, std::string_view model);

/// Checks that the model of this configuration has rotary positions. Throws: OtherEncodings, or
/// FormatError if there is no command for them, or the model is not known to have rotary positions.
void check_is_rotary(const Section& root, std::string_view model_type);

}  // namespace pegen::encodings
