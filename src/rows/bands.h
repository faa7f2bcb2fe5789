#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// `source`, of `rows` rows, asked for whole bands only: rows 0 ... band - 1, band ... 2 band - 1
/// and so on. For rows that cost little together and much alone. Some bands, two for each thread,
/// are kept, so that who goes through the rows one by one does not pay for a band each time.
RowSource in_bands(RowSource source, std::int64_t rows, std::int64_t band,
                   std::int64_t bytes_per_row);

}  // namespace pegen::rows
