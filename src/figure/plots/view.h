#pragma once

#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/views.h"

namespace pegen {

/// The views that --select leaves of the table.
std::vector<View> selected_views(const Table& table, const Parameters& parameters);

/// The table of the only view that --select leaves, for pictures over positions.
/// Throws: UsageError if there are more views, or if the rows are merged from several axes and one
/// of them does not count positions, such as (frequency, position). Axes of unknown kind, as of a
/// file, may be merged.
Table table_over_positions(const Table& table, const Parameters& parameters);

}  // namespace pegen
