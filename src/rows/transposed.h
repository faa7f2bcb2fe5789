#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"

namespace pegen::rows {

/// Reads a table of `rows` x `columns` elements, reports its rows, and returns its elements column
/// by column. Uses all threads.
std::vector<std::byte> columns_of(const RowSource& table, std::int64_t rows, std::int64_t columns,
                                  DType dtype);

/// Returns the rows of the transpose, which is kept. Reads the table now, as columns_of() does.
RowSource transposed(const RowSource& table, std::int64_t rows, std::int64_t columns, DType dtype);

}  // namespace pegen::rows
