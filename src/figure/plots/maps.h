#pragma once

#include <cstdint>

#include "core/parameters.h"
#include "core/table.h"

namespace pegen {

/// The grid whose points the rows of a table are, line by line, after some rows of other tokens,
/// such as a class token.
struct RowGrid {
    std::int64_t rows_before;
    std::int64_t height;
    std::int64_t width;
};

/// Returns the grid of --row-grid, whose points are the last rows; without the option the grid that
/// the axis of the rows knows, or the square that leaves at most two rows before it. Throws:
/// UsageError if there is none.
RowGrid row_grid(const Table& table, const Parameters& parameters);

/// Returns the options of a figure of grids, whose cells are squares unless the user asks for other
/// ones.
Parameters with_square_cells(Parameters parameters);

}  // namespace pegen
