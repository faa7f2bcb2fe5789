#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// The table as NumPy 1.24's print() shows it: eight digits, lines of 75 characters, only the three
/// first and last of each axis beyond 1000 elements. Asks the table only for the rows it shows.
/// bfloat16, which NumPy lacks, is shown as the other floats are.
extern const Format text;

}  // namespace pegen::formats
