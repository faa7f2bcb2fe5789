#pragma once

#include <string_view>

#include "core/table.h"
#include "formats/format.h"

namespace pegen {

/// Whether the regular file `path` says what write_table() would make it say: the same bytes, or of
/// a PNG the same pixels and the same provenance, however they are compressed. A file that is not
/// there does not. Writes nothing; ends at the first difference.
/// Throws: FileError if it is there and cannot be read.
bool is_up_to_date(std::string_view path, const Table& table, const Format& format,
                   const Parameters& parameters);

}  // namespace pegen
