#pragma once

#include <cstdint>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// A table and how many bytes its rows have.
struct Columns {
    RowSource rows;
    std::int64_t bytes_per_row;
};

/// Returns rows: row i is the rows i of all parts, one behind the other.
RowSource side_by_side(std::vector<Columns> parts);

}  // namespace pegen::rows
