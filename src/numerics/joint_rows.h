#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/table.h"

namespace pegen::numerics {

/// A function that fills out[t] with the rows of `range` of table t, for several tables that are
/// computed together. An empty out[t] leaves table t out. Pure, and called from many threads at
/// once.
using JointRowSource =
    std::function<void(RowRange range, std::span<const std::span<std::byte>> out)>;

/// Returns the rows of all tables, one table after the other, as one table with a further first
/// axis, which counts the tables. Precondition: the tables have `rows` rows each, of the same size.
RowSource stacked(JointRowSource source, std::int64_t tables, std::int64_t rows);

}  // namespace pegen::numerics
