#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Returns the rows of `rows`, which have `columns` elements of `element_bytes`, with column
/// chosen[i] as column i. Elements are moved as they are.
RowSource chosen_columns(RowSource rows, std::int64_t columns, std::vector<std::int64_t> chosen,
                         std::size_t element_bytes);

}  // namespace pegen::rows
