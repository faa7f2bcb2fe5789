#pragma once

#include <cstdint>
#include <vector>

#include "figure/limits.h"
#include "figure/ticks.h"

namespace pegen {

enum class ScaleKind {
    indices,  ///< ticks are whole numbers
    values,
    powers,  ///< logarithmic
};

/// What an axis shows, from one end to the other.
struct Scale {
    ScaleKind kind;
    double first;  ///< at the left or lower end; above 0 where the scale is logarithmic
    double last;   ///< at the right or upper end; smaller than `first` where the axis runs the
                   ///< other way, as the rows of a heatmap do
};

/// Cells 0 ... count - 1, each as wide as 1.
Scale cells_rightwards(std::int64_t count);
Scale cells_downwards(std::int64_t count);

/// The numbers of the limits, and a twentieth of their distance on both sides, as matplotlib leaves
/// around curves.
Scale with_margins(ScaleKind kind, Limits limits);

/// Where a value is: 0 at the first end, 1 at the last.
double share_of(double value, const Scale& scale);

/// Ticks between the ends. See index_ticks(), value_ticks(), power_ticks().
std::vector<Tick> ticks_of(const Scale& scale, int intervals);

}  // namespace pegen
