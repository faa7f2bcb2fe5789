#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// The table as NumPy 1.24's print() shows it: eight digits, lines of 75 characters, and beyond
/// 1000 elements only the first three and the last three of each axis. Only the rows that are shown
/// are asked of the table. bfloat16, which NumPy lacks, is shown like the other floats.
extern const Format text;

}  // namespace pegen::formats
