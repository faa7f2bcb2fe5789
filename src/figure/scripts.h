#pragma once

#include <string>

namespace pegen {

/// Returns why a character cannot be drawn by setting one glyph beside the other, from left to
/// right: "contains Hebrew, which is written from right to left and cannot be drawn". Returns "" if
/// it can be drawn so: letters of Latin, Greek, Cyrillic, Armenian, Georgian, Ethiopic, Chinese,
/// Japanese, Korean and other scripts without joins, and symbols.
std::string fault_of_script(char32_t character);

}  // namespace pegen
