#pragma once

#include <vector>

#include "pegen/core/parameters.h"
#include "pegen/core/table.h"
#include "pegen/figure/views.h"

namespace pegen {

/// What --select leaves of the table.
std::vector<View> selected_views(const Table& table, const Parameters& parameters);

/// The same for pictures of one view. Throws: UsageError if there are more.
View view_of(const Table& table, const Parameters& parameters);

}  // namespace pegen
