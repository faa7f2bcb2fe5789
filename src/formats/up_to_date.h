#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/table.h"
#include "formats/format.h"

namespace pegen {

class Sha256;

enum class Freshness { up_to_date, out_of_date, missing };

/// How a file stands to what would be written.
struct Standing {
    Freshness state;
    /// Offset of the first byte that differs, or at which one of them ends. None if another byte is
    /// not why the file is out of date: its size is, or what a PNG shows.
    std::optional<std::int64_t> difference{};
};

/// Compares the file `path` with the content that write_table(), or write_archive() if it is an
/// archive, would give it. It is up to date if it has the same bytes or, as a PNG, the same pixels
/// and the same provenance, however they are compressed. Writes nothing; ends at the first
/// difference. `digest`, if there is one, is that of the file if it is up to date.
/// Throws: FileError if the file exists but cannot be read.
Standing compare_with_file(std::string_view path, std::span<const Table> tables,
                           const Format& format, const Parameters& parameters,
                           Sha256* digest = nullptr);

}  // namespace pegen
