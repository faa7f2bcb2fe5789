#pragma once

#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/views.h"

namespace pegen {

/// What --select leaves of the table.
std::vector<View> selected_views(const Table& table, const Parameters& parameters);

/// The same for pictures of one view. Throws: UsageError if there are more.
View view_of(const Table& table, const Parameters& parameters);

}  // namespace pegen
