#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// A page of the table for a browser, which needs no other file and no network: it holds all
/// values, which can be zoomed, dragged and read cell by cell, and describes the table as JSON
/// (formats/table_head.h). A table may have at most 2^22 values.
extern const Format html;

}  // namespace pegen::formats
