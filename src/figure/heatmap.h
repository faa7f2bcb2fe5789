#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/table.h"
#include "figure/limits.h"

namespace pegen {

enum class Interpolation {
    antialiased,  ///< nearest or Hanning, see is_nearest()
    nearest,
};

enum class Orientation {
    rows_down,    ///< table row 0 on top, columns to the right
    rows_across,  ///< transposed: table row 0 at the left, columns downwards
};

/// A picture as indices of a palette.
struct IndexGrid {
    int width = 0;
    int height = 0;
    std::vector<std::uint16_t> indices;  ///< row-major; 0 to 255, or no_value

    bool operator==(const IndexGrid&) const = default;
};

/// The index of a pixel that shows NaN or an infinity.
inline constexpr std::uint16_t no_value = 256;

/// matplotlib 3.6.3 centres its means 1/256 of a cell too far down and to the right: its library,
/// Anti-Grain Geometry, counts the rest of a cell from 255 although there are 256 steps. With the
/// same shift, 99.9 % of the pixels of most tables have its colour or a neighbouring one, without
/// it 95 to 99 %.
inline constexpr double matplotlib_shift = 1.0 / 256;

/// What heatmap() shall draw.
struct HeatmapSpec {
    int width;
    int height;
    Limits limits;  ///< low < high
    Interpolation interpolation = Interpolation::antialiased;
    Orientation orientation = Orientation::rows_down;
    double shift = 0;  ///< of Hanning windows towards the last row and column, in cells
};

/// Draws the table stretched over width x height pixels. The value of a pixel is
///  - nearest: that of the cell at its middle, floor((o + 1/2) n / out) on each axis; or
///  - Hanning: the mean of the cells less than r = max(1, n / out) cells away, with weights
///    1/2 + 1/2 cos(pi t / r) at distance t on each axis; cells beyond an edge are those inside,
///    mirrored. If one of these cells is not finite, the pixel has no value.
/// The index of value v is floor(256 (v - low) / (high - low)), clamped to 0 ... 255.
/// The table is read in blocks: memory does not grow with its length.
IndexGrid heatmap(const Table& table, const HeatmapSpec& spec);

/// Chooses the limits to draw with, given those of the values.
using ChooseLimits = std::function<Limits(Limits of_values)>;

struct LimitedHeatmap {
    IndexGrid grid;
    Limits limits;  ///< those that were chosen
};

/// The same with the limits choose(value_limits(table)) instead of spec.limits. A large table is
/// read once instead of twice. Throws what `choose` throws.
LimitedHeatmap heatmap(const Table& table, HeatmapSpec spec, const ChooseLimits& choose);

/// True if `antialiased` takes the nearest cell: if on both axes there are more than 3 pixels per
/// cell, or exactly 1 or 2; of a table of integers, if there are no fewer pixels than cells, so
/// that no other numbers are shown.
bool is_nearest(const Table& table, const HeatmapSpec& spec);

}  // namespace pegen
