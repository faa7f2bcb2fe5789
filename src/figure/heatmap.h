#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"
#include "figure/limits.h"

namespace pegen {

/// Reads rows repeatedly into the same memory. For one thread; the table must outlive it.
class RowReader {
  public:
    explicit RowReader(const Table& table) : table_(&table) {}

    /// Returns the rows of `range` as elements of the table's dtype, valid until the next call.
    std::span<const std::byte> elements(RowRange range) {
        bytes_.resize(checked_product(range.count, row_bytes(*table_), "the rows in bytes"));
        table_->rows(range, bytes_);
        return bytes_;
    }

    /// Returns the rows of `range` as doubles, valid until the next call.
    std::span<const double> values(RowRange range) {
        values_.resize(range.count * table_->shape.columns());
        load(elements(range), table_->dtype, values_);
        return values_;
    }

  private:
    const Table* table_;
    std::vector<std::byte> bytes_;
    std::vector<double> values_;
};

/// Returns which of `cells` cells is at the middle of pixel number `pixel` of `pixels` pixels.
std::int64_t nearest_cell(std::int64_t pixel, std::int64_t pixels, std::int64_t cells);

/// The Hanning window of one pixel over the cells of an axis; its middle is moved by `shift` cells
/// towards the last one, by less than half a cell. See heatmap().
class Window {
  public:
    Window(std::int64_t pixel, std::int64_t pixels, std::int64_t cells, double shift = 0);

    /// Returns the window of a single cell, nearest_cell().
    static Window of_nearest(std::int64_t pixel, std::int64_t pixels, std::int64_t cells);

    /// Return the ends of the window: cells outside first() ... last() have no weight; some cells
    /// inside may have no weight either.
    std::int64_t first() const { return first_; }
    std::int64_t last() const { return last_; }

    /// Returns the weight of a cell; the weights of a window do not sum to 1.
    double weight(std::int64_t cell) const;

    /// Returns a power of two; the weights multiplied by it sum to at most 1/2.
    double unit() const;

  private:
    Window() = default;
    double hanning(double cell) const;

    double cells_ = 0;
    double centre_ = 0;  ///< in units of cells: cell i is at i
    double radius_ = 0;
    std::int64_t first_ = 0;
    std::int64_t last_ = 0;
};

enum class Interpolation {
    antialiased,  ///< nearest or Hanning on each axis, see nearest_axes()
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

/// The distance, as a share of a cell, by which matplotlib 3.6.3 centres its means too far down and
/// to the right: its library, Anti-Grain Geometry, counts the rest of a cell from 255 although
/// there are 256 steps. With the same shift, 99.9 % of the pixels of most tables have matplotlib's
/// colour or a neighbouring one; without the shift, 95 to 99 % have.
inline constexpr double matplotlib_shift = 1.0 / 256;

/// The description of a heatmap to draw.
struct HeatmapSpec {
    int width;
    int height;
    Limits limits;  ///< low < high
    Interpolation interpolation = Interpolation::antialiased;
    Orientation orientation = Orientation::rows_down;
    double threshold = 0;  ///< if positive, colours are spread by symlog() (figure/scale.h)
    double shift = 0;      ///< moves Hanning windows towards the last row and column, in cells
};

/// A function that is called with all values that are read, from several threads.
using See = std::function<void(std::span<const double> values)>;

/// Draws the table stretched over width x height pixels. On each axis, the value of a pixel is
///  - nearest: the value of the cell at the middle of the pixel, floor((o + 1/2) n / out); or
///  - Hanning: the mean of the cells less than r = max(1, n / out) cells away, with weights 1/2 +
///    1/2 cos(pi t / r) at distance t; cells inside are mirrored beyond the edges. If one of the
///    cells is not finite, the pixel has no value.
/// A pixel of value v has the index colour_index(v, limits, threshold). The table is read in
/// blocks: memory does not grow with its length.
IndexGrid heatmap(const Table& table, const HeatmapSpec& spec, const See& see = {});

/// Returns floor(256 (value - low) / (high - low)), clamped to 0 ... 255; no_value for a value that
/// is not finite. With a threshold, of the symlog() of value, low and high instead.
std::uint16_t colour_index(double value, Limits limits, double threshold = 0);

/// A function that chooses the limits of the colours, given the limits of the values.
using ChooseLimits = std::function<Limits(Limits of_values)>;

struct LimitedHeatmap {
    IndexGrid grid;
    Limits limits;     ///< the limits that `choose` returned
    Limits of_values;  ///< no_limits if no value is finite
};

/// Draws the table in the same way with the limits choose(or_any(finite_limits(table))) instead of
/// spec.limits. A large table is read once instead of twice. Throws what `choose` throws.
LimitedHeatmap heatmap(const Table& table, HeatmapSpec spec, const ChooseLimits& choose);

/// The axes of the table on which pixels take the nearest cell.
struct NearestAxes {
    bool rows;
    bool columns;

    bool operator==(const NearestAxes&) const = default;
};

/// Returns both axes for Interpolation::nearest. For `antialiased`, the pixels take the nearest
/// cell
///  - on both axes if both have more than 3 pixels per cell, or exactly 1 or 2, as in matplotlib;
///    or
///  - on each axis with more than 5 pixels per cell, or exactly 1 or 2, whatever the other axis
///    has, so that wide cells do not run into each other.
/// In a table of whole numbers, each axis with at least as many pixels as cells also takes the
/// nearest cell, so that no other numbers are shown; and where keys are masked, so that the cells
/// along the edge of the mask are shown.
NearestAxes nearest_axes(const Table& table, const HeatmapSpec& spec);

}  // namespace pegen
