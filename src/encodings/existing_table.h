#pragma once

#include "encodings/encoding.h"

namespace pegen {

/// Returns the table of this name. Throws: UsageError that lists the encodings with such a table,
/// if this encoding has none.
const TableSpec& existing_table(const Encoding& encoding, std::string_view name);

}  // namespace pegen
