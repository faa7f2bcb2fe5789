#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/table.h"
#include "figure/limits.h"

namespace pegen {

enum class Interpolation {
    antialiased,  ///< nearest or Hanning: see is_nearest()
    nearest,
};

enum class Orientation {
    rows_down,    ///< table row 0 on top, columns to the right
    rows_across,  ///< transposed: table row 0 at the left, columns downwards
};

/// A picture as places in a palette.
struct IndexGrid {
    int width = 0;
    int height = 0;
    std::vector<std::uint16_t> indices;  ///< row-major; 0 to 255, or no_value

    bool operator==(const IndexGrid&) const = default;
};

/// The index of a pixel that shows NaN or an infinity.
inline constexpr std::uint16_t no_value = 256;

/// matplotlib 3.6.3 takes its means around places 1/256 of a cell further down and to the right
/// than it should: its library, Anti-Grain Geometry, counts what is left of a cell from 255 where
/// there are 256 steps. With this shift so do we, and 99.9 % of the pixels of most tables have its
/// colour or one beside it; without, 95 to 99 %.
inline constexpr double matplotlib_shift = 1.0 / 256;

/// What is asked of heatmap().
struct HeatmapSpec {
    int width;
    int height;
    Limits limits;  ///< low < high
    Interpolation interpolation = Interpolation::antialiased;
    Orientation orientation = Orientation::rows_down;
    double shift = 0;  ///< of Hanning windows, in cells, towards the last row and column
};

/// The table stretched over width x height pixels. Each pixel takes its value
///  - nearest: from the cell at its middle, floor((o + 1/2) n / out) on each axis; or
///  - Hanning: as the mean of the cells less than r = max(1, n / out) cells away, with weights
///    1/2 + 1/2 cos(pi t / r) at distance t on each axis; cells beyond the edges are those inside,
///    mirrored. A cell without a finite value leaves all these pixels without one.
/// Then its index, floor(256 (v - low) / (high - low)), is clamped to 0 ... 255.
/// Rows are asked for in blocks: memory does not grow with the length of the table.
IndexGrid heatmap(const Table& table, const HeatmapSpec& spec);

/// The limits to be drawn, from those of the values.
using ChooseLimits = std::function<Limits(Limits of_values)>;

struct LimitedHeatmap {
    IndexGrid grid;
    Limits limits;  ///< what was chosen
};

/// The same with the limits choose(value_limits(table)) instead of spec.limits, for one reading of
/// a large table instead of two. Throws: what `choose` throws.
LimitedHeatmap heatmap(const Table& table, HeatmapSpec spec, const ChooseLimits& choose);

/// Whether `antialiased` takes the nearest cell: on both axes, there are more than 3 pixels to a
/// cell, or exactly 1 or 2.
bool is_nearest(const Table& table, const HeatmapSpec& spec);

}  // namespace pegen
