#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/table.h"
#include "formats/format.h"

namespace pegen::mpi {

/// Bytes at a place in a file.
struct PlacedText {
    std::int64_t offset;
    std::string bytes;
};

/// Where everything stands in a file of tables whose rows are those in memory.
struct Layout {
    std::vector<PlacedText> texts;   ///< all that is not rows
    std::vector<std::int64_t> rows;  ///< for each table, where its rows begin
};

/// True if the rows of a file in this format have places that are known before it is written.
bool has_layout(const Format& format);

/// Returns the layout of a file of these tables: of one, unless the format is that of an archive.
/// Throws: UsageError if the format cannot hold them. Precondition: has_layout(format).
Layout layout_of(const Format& format, const Parameters& parameters, std::span<const Table> tables);

}  // namespace pegen::mpi
