#pragma once

#include <cstdint>
#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// A table and how many rows it has.
struct Part {
    RowSource rows;
    std::int64_t count;
};

/// Returns the rows of all parts, one part after the other. Their rows have `bytes_per_row` bytes.
RowSource concatenated(std::vector<Part> parts, std::int64_t bytes_per_row);

}  // namespace pegen::rows
