#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A panel of a figure.
struct View {
    std::string title;  ///< "head 3"; empty where there is only one
    Table table;        ///< of two axes: down and across
};

/// A table of any rank as tables of two axes, in the order of their panels:
///  1. `select` takes indices of the leading axes (all but the last two), outermost first;
///  2. of an outermost leading axis "batch" that is left, index 0 is taken;
///  3. an outermost leading axis "head" that is left becomes a panel for each index;
///  4. what is left has an axis for rows and one for columns: of three axes or more whose first is
///     "channel", that one and all others merged; otherwise all but the last merged, and the last.
/// So (batch, channel, height, width) is channel x (height * width) of batch 0, (head, query, key)
/// a panel for each head, and (height, width, channel) is (height * width) x channel. A table of
/// one axis is a column, one without axes a single value. Merged axes are called by their names,
/// joined by " x ". All else is the table's. Costs nothing and reads nothing: the views ask the
/// table for the rows they show.
/// Throws: UsageError if the table is empty, `select` has more indices than there are leading axes
/// or one out of range, or there would be more than 64 panels.
std::vector<View> views_of(const Table& table, std::span<const std::int64_t> select);

}  // namespace pegen
