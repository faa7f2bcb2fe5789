#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Numbers in rows, one row after the other.
using KeptRows = std::shared_ptr<const std::vector<double>>;

/// Returns the kept numbers as rows of `columns` each.
RealRowSource kept_rows(KeptRows kept, std::int64_t columns);

/// Returns a table (heads, rows, columns): element (h, i, j) is weights[index(i, j)][h]. `index` is
/// a table (rows, columns) of row numbers of `weights`, whose rows have a number for each of the
/// `heads` heads.
RealRowSource gathered_by_head(RealRowSource index, std::int64_t rows, KeptRows weights,
                               std::int64_t heads);

}  // namespace pegen::rows
