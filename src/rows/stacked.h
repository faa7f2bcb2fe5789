#pragma once

#include <cstdint>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Returns the rows of all sources, one source after the other: tables (rows, columns) become one
/// (source, rows, columns). Each source has `rows` rows of `bytes_per_row` bytes.
RowSource stacked(std::vector<RowSource> sources, std::int64_t rows, std::int64_t bytes_per_row);

}  // namespace pegen::rows
