#pragma once

#include <span>
#include <string>
#include <string_view>
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

/// A grid and the pixel of the picture where its upper left pixel is.
struct PlacedGrid {
    int left;
    int top;
    IndexGrid grid;
};

/// Everything a figure consists of, each thing with its place, in the order in which it is painted.
/// Of a figure with grids, bands and curves are the arrows of its colour bar.
struct Figure {
    std::string title;  ///< may be empty; of a bare heatmap too, which does not show it
    int width;          ///< in pixels
    int height;
    double dpi;
    Palette palette{};                ///< of the grids
    std::vector<PlacedGrid> grids{};  ///< heatmaps and, if there is room, the colour bar
    std::vector<PixelArea> panels{};  ///< of heatmaps: what each panel's rows and columns fill
    std::vector<Band> bands{};
    std::vector<Curve> curves{};
    std::vector<Box> lines{};          ///< black
    std::vector<PlacedText> texts{};   ///< black
    bool is_bare = false;              ///< a single grid and nothing else
    std::vector<TextRole> left_out{};  ///< of texts that there is no room for
    std::vector<std::string> notes{};  ///< what the user should know, a line each
};

/// Returns the table as the kind of picture that --plot names (all_plots()), on `medium`; unless it
/// names one, as a heatmap, or waves if the table has one axis and no option of heatmaps is given.
/// Title and labels that the parameters do not give are the table's.
/// What a picture has no room for is left out, and Figure::notes says so; a window has no notes.
/// Throws: UsageError if an option that the user gave has no effect on this picture (options of
/// other origins may have none), its text cannot be drawn or does not fit, the table is empty, or
/// this kind cannot draw it.
Figure compose_figure(const Table& table, const Parameters& parameters, const Medium& medium);

/// The same on the medium that --figsize, --dpi and --font describe.
/// Throws also what picture_medium() and load_font() throw.
Figure compose_figure(const Table& table, const Parameters& parameters);

/// True if the option has an effect on the figure that compose_figure() returns for a file.
bool has_effect(std::string_view option, const Table& table, const Parameters& parameters);

/// Paints what compose_figure() returns.
Image draw_figure(const Table& table, const Parameters& parameters);

}  // namespace pegen
