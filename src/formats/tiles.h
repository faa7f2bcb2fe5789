#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen {

/// The division of a table into tiles: runs of whole rows, each filled and written at a time. It
/// depends on the shape and dtype alone, not on the number of threads, so that files do not depend
/// on the number of threads either.
struct Tiles {
    std::int64_t rows;           ///< number of rows of the table
    std::int64_t rows_per_tile;  ///< at least 1; the last tile may have fewer

    std::int64_t count() const { return rows / rows_per_tile + (rows % rows_per_tile != 0); }
    RowRange operator[](std::int64_t tile) const;
};

/// Returns tiles of about tile_bytes of elements, each of at least one row.
Tiles tiles_of(const Table& table);

/// The size of a tile. Measured on cores with 1 MiB of L2 cache each: sizes from 256 KiB to 1 MiB
/// are equally fast. With smaller tiles, threads wait for their turn to write; larger ones drop out
/// of the cache before they are written. The text of a tile is a few times as large.
inline constexpr std::int64_t tile_bytes = std::int64_t{1} << 19;

}  // namespace pegen
