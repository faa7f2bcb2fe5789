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

    /// Returns the number of indices that have a position.
    std::int64_t positions() const { return extent - axis.rows_before; }
};

/// Returns the arithmetic progression of the positions of an axis, up to rounding: index
/// `rows_before` + i has the position start + step * i. Returns nothing if the positions are not
/// equally spaced.
std::optional<Progression> equal_steps(const AxisOfTable& axis);

/// Returns ticks between the indices `ends`, with positions as labels; Tick::value is an index. An
/// axis whose indices have names has these as labels, of all indices or of every so many. The
/// points of a grid have the ticks of grid_ticks(), if there are any. Otherwise:
/// If positions are equally spaced, index_ticks() chooses round positions, or value_ticks() if a
/// position is not whole. If there are at least two round positions and each is the position of an
/// index, the ticks are at these indices. Otherwise the ticks are at the indices that index_ticks()
/// chooses, counted from the first position. Indices before the first position have no tick.
std::vector<Tick> position_ticks(const AxisOfTable& axis, Limits ends, int intervals);

}  // namespace pegen
