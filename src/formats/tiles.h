#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen {

/// How a table is cut into runs of whole rows, each filled and written at a time. Fixed by the
/// shape and dtype, never by the number of threads, so that files do not depend on it.
struct Tiles {
    std::int64_t rows;           ///< of the table
    std::int64_t rows_per_tile;  ///< at least 1; the last tile may have fewer

    std::int64_t count() const { return rows / rows_per_tile + (rows % rows_per_tile != 0); }
    RowRange operator[](std::int64_t tile) const;
};

/// Tiles of about tile_bytes of elements, of at least one row.
Tiles tiles_of(const Table& table);

/// Measured where each core has 1 MiB of L2 cache: sizes from 256 KiB to 1 MiB are equally fast;
/// below, waiting for one's turn to write costs, above, tiles fall out of the cache before they are
/// written. The text of a tile is a few times as large.
inline constexpr std::int64_t tile_bytes = std::int64_t{1} << 19;

}  // namespace pegen
