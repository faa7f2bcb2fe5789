#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns the values of `source` in shorter rows: each of its rows, of `row_bytes` bytes, becomes
/// `parts` rows.
RowSource divided(RowSource source, std::int64_t parts, std::int64_t row_bytes);

}  // namespace pegen::rows
