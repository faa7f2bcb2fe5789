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

enum class ScaleKind {
    indices,  ///< ticks are whole numbers
    values,
    powers,  ///< the axis is logarithmic
    symlog,  ///< linear up to the threshold, logarithmic beyond, on both sides of 0
};

/// The limits that a logarithmic axis can show: beyond them, the quotients of its ends and the
/// steps between its ticks would leave the range of doubles.
inline constexpr Limits logarithmic_limits{1e-130, 1e130};

/// True if a logarithmic axis can show both limits.
bool can_be_logarithmic(Limits limits);

/// The numbers that an axis shows, from one end to the other.
struct Scale {
    ScaleKind kind;
    double first;  ///< at the left or lower end; positive if the scale is logarithmic
    double last;   ///< at the right or upper end; less than `first` if the axis runs backwards, as
                   ///< the rows of a heatmap do
    std::optional<AxisOfTable> axis{};  ///< for indices: their axis; the labels are positions
    double threshold = 0;               ///< for symlog: positive
};

/// Returns the scale of cells 0 ... extent - 1, each of them 1 wide.
Scale cells_rightwards(const AxisOfTable& axis);
Scale cells_downwards(const AxisOfTable& axis);

/// Returns the scale from limit to limit, extended by a twentieth of their distance on both sides,
/// like matplotlib around curves. A logarithmic scale needs limits that pass can_be_logarithmic().
Scale with_margins(ScaleKind kind, Limits limits);

/// Returns the place of a value on an axis without ends that is linear up to the threshold, and
/// logarithmic beyond: with |x| <= t, x / t, else +-(1 + c log10(|x| / t)), where c = 0.9, so that
/// the linear part on one side is as long as 10/9 of a power of ten, as matplotlib's SymLogNorm has
/// it. The same on every machine.
double symlog(double value, double threshold);

/// Returns the value whose symlog() is `place`, but for rounding.
double inverse_symlog(double place, double threshold);

/// Returns the place of a value on the axis: 0 at the first end, 1 at the last.
double share_of(double value, const Scale& scale);

/// Returns ticks between the ends. See index_ticks(), position_ticks(), value_ticks(),
/// symlog_ticks(), power_ticks().
std::vector<Tick> ticks_of(const Scale& scale, int intervals);

}  // namespace pegen
