#include "formats/tiles.h"

#include <algorithm>

namespace pegen {

RowRange Tiles::operator[](std::int64_t tile) const {
    const std::int64_t first = tile * rows_per_tile;
    return {first, std::min(rows_per_tile, rows - first)};
}

Tiles tiles_of(const Table& table) {
    // Rows without elements still cost their brackets and indices in text formats, so each counts
    // as one byte.
    const std::int64_t bytes = std::max<std::int64_t>(row_bytes(table), 1);
    return {table.shape.rows(), std::max<std::int64_t>(tile_bytes / bytes, 1)};
}

}  // namespace pegen
