#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// One JSON object: the description of the table, then its rows as nested lists, one line for each
/// row. Numbers are the shortest that read back as the same element, floats always with a point or
/// an exponent; NaN and the infinities are the strings "NaN", "Infinity", "-Infinity".
extern const Format json;

}  // namespace pegen::formats
