#pragma once

#include <string_view>

#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// Throws: FormatError if the model of this configuration has no rotary positions, with what it has
/// instead.
void check_is_rotary(const Section& root, std::string_view model_type);

}  // namespace pegen::encodings
