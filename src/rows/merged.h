#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Merges `more`, one row, into each of the rows in `rows` by bitwise or. The rows have the size of
/// `more`.
void merge_into(std::span<std::byte> rows, std::span<const std::byte> more);

/// Returns rows: row i is the bitwise or of the rows i of all sources. Each source has zeros where
/// another one has values.
RowSource merged(std::vector<RowSource> sources);

}  // namespace pegen::rows
