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

/// The result of comparing a file with the content that would be written.
struct Standing {
    Freshness state;
    /// Offset of the first byte that differs, or at which the file or the content ends. Has no
    /// value if the file is out of date for another reason: its size, or the picture that a PNG
    /// shows.
    std::optional<std::int64_t> difference{};
};

/// Compares the file `path` with the content that write_table(), or write_archive() for an archive,
/// would write to it. The file is up to date if it has the same bytes or, as a PNG, the same pixels
/// and the same provenance, however they are compressed. Writes nothing; ends at the first
/// difference. `digest`, unless it is null, gets the digest of the file if it is up to date.
/// Throws: FileError if the file exists but cannot be read.
Standing compare_with_file(std::string_view path, std::span<const Table> tables,
                           const Format& format, const Parameters& parameters,
                           Sha256* digest = nullptr);

}  // namespace pegen
