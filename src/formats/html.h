#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// A page of the table for a browser, which needs no other file and no network: its values in full,
/// to be zoomed, dragged and read cell by cell. What the table is stands in it as JSON:
/// formats/table_head.h. At most 2^22 values.
extern const Format html;

}  // namespace pegen::formats
