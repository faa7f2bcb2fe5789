#pragma once

#include <span>
#include <string_view>

#include "core/table.h"
#include "formats/format.h"

namespace pegen {

/// True if the regular file `path` has the content that write_table() would give it: the same bytes
/// or, in a PNG, the same pixels and the same provenance, however they are compressed. False if
/// there is no such file. Writes nothing; ends at the first difference.
/// Throws: FileError if the file exists but cannot be read.
bool is_up_to_date(std::string_view path, const Table& table, const Format& format,
                   const Parameters& parameters);

/// The same for what write_archive() would give an archive of `tables`.
bool is_up_to_date(std::string_view path, std::span<const Table> tables,
                   const ArchiveFormat& format);

}  // namespace pegen
