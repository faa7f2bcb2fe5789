#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns the array (..., d) as (..., parts, d / parts): each of its rows becomes `parts` rows,
/// one after the other. Precondition: the array has two axes at least, and `parts` divides d.
Table split(const Table& table, std::int64_t parts);

/// Returns rows, each of which is `parts` rows of the source, one after the other.
RowSource joined(RowSource source, std::int64_t parts);

}  // namespace pegen::rows
