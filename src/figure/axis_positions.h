#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/axis.h"
#include "figure/limits.h"
#include "figure/ticks.h"

namespace pegen {

/// An axis of a table, and its extent.
struct AxisOfTable {
    Axis axis;
    std::int64_t extent;

    /// The number of indices that stand for a position.
    std::int64_t positions() const { return extent - axis.rows_before; }
};

/// Returns the progression that the positions of an axis are, up to rounding: index
/// `rows_before` + i stands for start + step * i. None if their differences are not equal.
std::optional<Progression> equal_steps(const AxisOfTable& axis);

/// Returns ticks between two indices, `ends`, with positions as labels; Tick::value is an index.
/// Points of a grid have grid_ticks(), if there are any. Otherwise:
/// If positions are equally spaced, index_ticks(), or value_ticks() if not all are whole, choose
/// round positions. If there are at least two of these and each is the position of an index, the
/// ticks are there. Otherwise they are at the indices that index_ticks() chooses, counted from the
/// first position. Indices before the first position have no tick.
std::vector<Tick> position_ticks(const AxisOfTable& axis, Limits ends, int intervals);

}  // namespace pegen
