#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// Lines of numbers separated by commas: a header row and, before the numbers of each row, its
/// position along an axis of positions (nothing in rows before the first position) and its index,
/// counted from 0, along each other leading axis. With --no-header the file is the bare matrix, as
/// numpy.savetxt writes it. Numbers are the shortest that read back as the same element; nan, inf,
/// -inf; a bool is 0 or 1.
extern const Format csv;

}  // namespace pegen::formats
