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
#include "figure/limits.h"
#include "figure/theme.h"

namespace pegen {

/// The options of a figure, such as --cmap and --title.
std::span<const ParameterSpec> figure_parameters();

/// A grid and the pixel of the picture where its upper left pixel is.
struct PlacedGrid {
    int left;
    int top;
    IndexGrid grid;
};

/// All parts of a figure, each with its place, in the order in which they are painted. In a figure
/// with grids, the bands and curves are the arrows of the colour bar.
struct Figure {
    std::string title;  ///< may be empty; kept but not shown by a bare heatmap
    int width;          ///< in pixels
    int height;
    double dpi;
    Palette palette{};                ///< the colours of the grids
    std::vector<PlacedGrid> grids{};  ///< heatmaps and, if there is room, the colour bar
    std::vector<PixelArea> panels{};  ///< for heatmaps: the pixels that each panel's cells fill
    std::vector<Band> bands{};
    std::vector<Curve> curves{};
    std::vector<Box> lines{};
    std::vector<PlacedText> texts{};
    FontFace font{};                   ///< the font of the texts
    Theme theme{};                     ///< the colours of lines, texts and the ground
    bool is_bare = false;              ///< a single grid and nothing else
    std::vector<TextRole> left_out{};  ///< roles of texts that have no room
    std::vector<std::string> notes{};  ///< facts for the user, a line each
    Limits of_values = no_limits;      ///< the limits of the values that colours or curves show
};

/// Draws the table on `medium` as the kind of picture that --plot names (all_plots()). Without
/// --plot, a table of one axis is drawn as waves unless an option of heatmaps is given, and any
/// other table as a heatmap. Title and labels that the parameters do not give are taken from the
/// table.
/// Parts that a picture has no room for are left out and named in Figure::notes; of a window, only
/// the numbers of --annotate are.
/// Throws: UsageError if an option that the user gave has no effect on this picture (an option of
/// another origin may have none), if the text of an option cannot be drawn or does not fit, if the
/// table is empty, or if this kind of picture cannot show the table.
Figure compose_figure(const Table& table, const Parameters& parameters, const Medium& medium);

/// Who draws the texts: the program, or the viewer of the file, with the fonts that it has.
enum class Texts { drawn, written };

/// Draws the table in the same way on the medium that --figsize, --dpi and --font describe. Where
/// texts are drawn, the font is that of with_found_font(), and is named in the notes. Texts that
/// are written may have characters that no font here has, and a font that is not installed here.
/// Colours and axes have room for `least_limits`, too. Throws also the exceptions of
/// picture_medium(), load_font() and with_found_font().
Figure compose_figure(const Table& table, const Parameters& parameters, Texts texts = Texts::drawn,
                      Limits least_limits = no_limits);

/// True if the option has an effect on the figure that compose_figure() returns for a file.
bool has_effect(std::string_view option, const Table& table, const Parameters& parameters);

/// Paints the figure that compose_figure() returns.
Image draw_figure(const Table& table, const Parameters& parameters);

/// Places a heatmap of the size of panel.body and cuts off what lies beyond the frame.
PlacedGrid body_within_frame(const Panel& panel, IndexGrid body);

}  // namespace pegen
