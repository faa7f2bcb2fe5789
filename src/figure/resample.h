#pragma once

#include <cstdint>

namespace pegen {

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

}  // namespace pegen
