#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A panel of a figure.
struct View {
    std::string title;  ///< "head 3"; empty if there is only one panel
    Table table;        ///< a table of two axes: down and across
    /// The axes of more than one index that the rows are merged from; empty if the rows are one
    /// axis.
    std::vector<Axis> merged_into_rows{};
    std::vector<Axis> merged_into_columns{};
};

/// Returns a table of any rank as tables of two axes, in the order of their panels:
///  1. `select` takes indices of the leading axes (all but the last two), outermost first;
///  2. if the outermost leading axis that is left is a batch, its index 0 is taken;
///  3. if the outermost leading axis that is left is shown as panels (is_shown_as_panels()), it
///     becomes a panel for each index, called by index_name(); the same holds for the next axis;
///  4. the axes that are left become rows and columns: if there are three axes or more and the
///     first is a channel, the rows are the first axis and the columns all others, merged;
///     otherwise the rows are all axes but the last, merged, and the columns the last.
/// So (batch, channel, height, width) is channel x (height * width) of batch 0, (head, query, key)
/// has a panel for each head, and (height, width, channel) is (height * width) x channel. A table
/// of one axis is a column, a table without axes a single value. Only the kinds of axes count, not
/// their names. The names of merged axes are joined by " x ", in labels by a multiplication sign;
/// merged pixels are the points of a grid (Axis::is_merged). A title names the indices that are
/// taken. Everything else is taken from the table. Nothing is read: the views ask the table for the
/// rows they show. Throws: UsageError if the table is empty, `select` has more indices than there
/// are leading axes or one out of range, or there would be more than 128 panels.
std::vector<View> views_of(const Table& table, std::span<const std::int64_t> select);

}  // namespace pegen
