#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns `source`, of `rows` rows, asked for whole bands only: rows 0 ... band - 1, band ...
/// 2 band - 1 and so on. For sources where a single row costs about as much as a whole band. The
/// last few bands, two for each thread, are kept, so that reading row by row stays cheap.
RowSource in_bands(RowSource source, std::int64_t rows, std::int64_t band,
                   std::int64_t bytes_per_row);

}  // namespace pegen::rows
