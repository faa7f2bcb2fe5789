#pragma once

#include <cstdint>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/views.h"

namespace pegen {

/// The views that --select leaves of the table.
std::vector<View> selected_views(const Table& table, const Parameters& parameters);

/// The table of the only view that --select leaves, for pictures over positions: these are its
/// rows, or its columns if has_channels_first().
/// Throws: UsageError if there are more views, or if positions are merged from several axes and one
/// of them does not count any, such as (frequency, position). Axes of unknown kind, as of a file,
/// may be merged.
Table table_over_positions(const Table& table, const Parameters& parameters);

/// True if the rows of a table of two axes are channels and its columns are not.
bool has_channels_first(const Table& table);

/// Returns the table with positions as rows: the table itself or, if it has its channels first, the
/// transposed one. That is kept in memory from when its rows are read for the first time.
Table with_channels_last(const Table& table);

/// The same of some channels only.
Table with_channels_last(const Table& table, std::vector<std::int64_t> channels);

/// Returns the table whose rows are positions and have the dot products that attention sees: that
/// of table_over_positions(), or of rotary cosines, sines or angles the sibling with both cosines
/// and sines. They turn queries and keys, so the dot product of their rows, the sum of cos((i - j)
/// w), is the score of a constant query and key. Throws: UsageError as table_over_positions(), and
/// if rows are known to be no positions, if the encoding has no such sibling, or if the table has
/// chosen channels of cosines or sines.
Table scored_vectors(const Table& table, const Parameters& parameters);

}  // namespace pegen
