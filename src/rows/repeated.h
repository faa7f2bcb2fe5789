#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns rows of `bytes_per_row` bytes: each of the rows count * i ... count * i + count - 1 is
/// row i of the source.
RowSource repeated(RowSource source, std::int64_t bytes_per_row, std::int64_t count);

}  // namespace pegen::rows
