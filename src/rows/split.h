#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns the array (..., d) as (..., parts, d / parts): as many rows, one after the other, stand
/// in each of its rows. Precondition: the array has two axes at least, and `parts` divides d.
Table split(const Table& table, std::int64_t parts);

/// Returns rows of which each is `parts` rows of the source, one after the other.
RowSource joined(RowSource source, std::int64_t parts);

}  // namespace pegen::rows
