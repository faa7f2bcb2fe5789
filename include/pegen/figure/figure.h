#pragma once

#include <span>
#include <string>
#include <vector>

#include "pegen/core/parameters.h"
#include "pegen/core/table.h"
#include "pegen/figure/colormap.h"
#include "pegen/figure/heatmap.h"
#include "pegen/figure/image.h"
#include "pegen/figure/layout.h"

namespace pegen {

/// The options of a figure, such as --cmap and --title.
std::span<const ParameterSpec> figure_parameters();

/// A grid and the pixel of the picture its upper left one is.
struct PlacedGrid {
    int left;
    int top;
    IndexGrid grid;
};

/// All that a figure consists of, each thing with its place: for painters to draw in this order.
struct Figure {
    std::string title;  ///< empty: none; a bare heatmap has one, too, which is not among its texts
    int width;          ///< in pixels
    int height;
    double dpi;
    Palette palette;                ///< of the grids
    std::vector<PlacedGrid> grids;  ///< the heatmap and, if there is room, the colour bar
    std::vector<Box> lines;         ///< black
    std::vector<PlacedText> texts;  ///< black
    bool is_bare;                   ///< one grid and nothing else
};

/// The table as a heatmap with axes, ticks, labels, title and colour bar (lay_out()); or, with
/// --no-axes or --cell, the bare heatmap. Rows of the table run downwards, its last axis to the
/// right; the leading axes of a table of more than two are one axis. --transpose swaps both.
/// Without text parameters, title and labels are the table's. NaN and infinities are drawn white.
/// Asks the table for its rows in blocks: memory does not grow with its length.
/// Throws: UsageError if the picture would be too small or too large, vmin is not below vmax, the
/// table is empty, or a text cannot be drawn; what load_font() throws for --font.
Figure compose_figure(const Table& table, const Parameters& parameters);

/// compose_figure(), painted.
Image draw_figure(const Table& table, const Parameters& parameters);

}  // namespace pegen
