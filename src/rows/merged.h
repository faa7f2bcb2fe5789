#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Adds the bits of `more` to each of the rows in `rows`, which are as long.
void merge_into(std::span<std::byte> rows, std::span<const std::byte> more);

/// Returns rows of which row i is the bitwise or of the rows i of all sources: each source has
/// zeros where another one has values.
RowSource merged(std::vector<RowSource> sources);

}  // namespace pegen::rows
