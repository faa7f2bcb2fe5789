#pragma once

#include "encodings/encoding.h"

namespace pegen {

/// Returns the table of this name.
/// Throws: UsageError with the encodings that have one if this one has none.
const TableSpec& existing_table(const Encoding& encoding, std::string_view name);

}  // namespace pegen
