#pragma once

#include <span>

#include "formats/format.h"

namespace pegen {

/// Returns the formats for tests: a small table as an array in the source of a language, whose name
/// the format has. Values stand in C order, in lines of at most 100 characters, and read back as
/// the same numbers: the shortest decimals that do, but in Swift, which rounds decimals twice,
/// hexadecimal ones. float16 and bfloat16 are held as float32, and all floats as doubles where a
/// language has no other. A comment, or a member in JSON, says which command makes the table.
/// A table must have at least one and at most 2^20 values.
std::span<const Format* const> all_languages();

}  // namespace pegen
