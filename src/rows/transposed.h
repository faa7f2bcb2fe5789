#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "core/table.h"

namespace pegen::rows {

/// Reads a table of `rows` x `columns` elements and returns the rows of its transpose, which is
/// kept. Uses all threads.
RowSource transposed(const RowSource& table, std::int64_t rows, std::int64_t columns, DType dtype);

}  // namespace pegen::rows
