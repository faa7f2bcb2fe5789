#pragma once

#include <span>

#include "formats/format.h"

namespace pegen {

/// Returns the formats for tests: a small table as an array in the source code of a language; the
/// format has the name of the language. Values are in C order, in lines of at most 100 characters,
/// and read back as the same numbers: they are the shortest decimals that do, except in Swift,
/// which rounds decimals twice and so has hexadecimal ones. float16 and bfloat16 are held as
/// float32, and all floats as doubles where a language has no other. A comment, or a member in
/// JSON, gives the command that makes the table.
/// A table must have at least one and at most 2^20 values.
std::span<const Format* const> all_languages();

}  // namespace pegen
