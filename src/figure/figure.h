#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/colormap.h"
#include "figure/heatmap.h"
#include "figure/image.h"
#include "figure/layout.h"

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
/// There are grids, or bands and curves.
struct Figure {
    std::string title;  ///< empty: none; a bare heatmap has one, too, which is not among its texts
    int width;          ///< in pixels
    int height;
    double dpi;
    Palette palette{};                ///< of the grids
    std::vector<PlacedGrid> grids{};  ///< heatmaps and, if there is room, the colour bar
    std::vector<Band> bands{};
    std::vector<Curve> curves{};
    std::vector<Box> lines{};         ///< black
    std::vector<PlacedText> texts{};  ///< black
    bool is_bare = false;             ///< one grid and nothing else
};

/// The table as the kind of picture --plot names (all_plots()), on `medium`.
/// Without text parameters, title and labels are the table's.
/// Throws: UsageError if an option has no effect on this kind of picture, the table is empty, or
/// there is something the kind cannot draw.
Figure compose_figure(const Table& table, const Parameters& parameters, const Medium& medium);

/// The same on the medium that --figsize, --dpi and --font ask for.
/// Throws: as picture_medium() and load_font(), too.
Figure compose_figure(const Table& table, const Parameters& parameters);

/// compose_figure(), painted.
Image draw_figure(const Table& table, const Parameters& parameters);

}  // namespace pegen
