#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// Returns `table` as float64, whatever its dtype.
Table as_float64(Table table);

/// Returns rows of `columns` float64 values, each rounded once to `dtype`.
RowSource rounded(RowSource float64, std::int64_t columns, DType dtype);

}  // namespace pegen::rows
