#pragma once

#include <vector>

#include "figure/layout.h"

namespace pegen {

/// A legend's entries in columns, one column after the other.
struct LegendGrid {
    std::size_t columns;
    std::size_t rows;
    double pitch;  ///< distance from a column to the next
    double width;
    double height;
};

LegendGrid legend_grid(const std::vector<LegendEntry>& entries, std::size_t columns,
                       const Medium& medium);

/// Returns the legend with the fewest columns that is at most `height` high.
LegendGrid legend_within_height(const std::vector<LegendEntry>& entries, double height,
                                const Medium& medium);

/// Returns the legend with the fewest rows that is at most `width` wide.
LegendGrid legend_within_width(const std::vector<LegendEntry>& entries, double width,
                               const Medium& medium);

/// Returns the texts of the entries; the upper left corner of the legend is at `corner`.
std::vector<PlacedText> legend_texts(const std::vector<LegendEntry>& entries,
                                     const LegendGrid& grid, Point corner, const Medium& medium);

}  // namespace pegen
