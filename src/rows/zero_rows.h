#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns `count` rows of zeros, then the rows of `source`.
RowSource with_zero_rows_before(RowSource source, std::int64_t count, std::int64_t bytes_per_row);

/// Returns `source` with row `row` all zeros.
RowSource with_zero_row(RowSource source, std::int64_t row, std::int64_t bytes_per_row);

}  // namespace pegen::rows
