#pragma once

#include "core/table.h"

namespace pegen::rows {

/// Returns the rows of the table, which are read now, several at a time, and kept.
RowSource kept(const Table& table);

}  // namespace pegen::rows
