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

    /// Indices that stand for a position.
    std::int64_t positions() const { return extent - axis.rows_before; }
};

/// Returns the progression that the positions of an axis are, up to rounding: index
/// `rows_before` + i stands for start + step * i. None if their differences are not equal.
std::optional<Progression> equal_steps(const AxisOfTable& axis);

/// Returns ticks between `ends` (indices) whose labels are positions; Tick::value is the index.
/// They are at round positions, chosen as index_ticks() or, if not all positions are whole numbers,
/// value_ticks() does, if the positions are equally spaced and rows stand for at least two of these
/// and for all of them. Otherwise they are at the indices that index_ticks() chooses. Rows before
/// the first position have no tick.
std::vector<Tick> position_ticks(const AxisOfTable& axis, Limits ends, int intervals);

}  // namespace pegen
