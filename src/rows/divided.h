#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns the same values in shorter rows: each row of `source`, of row_bytes, is `parts` rows.
RowSource divided(RowSource source, std::int64_t parts, std::int64_t row_bytes);

}  // namespace pegen::rows
