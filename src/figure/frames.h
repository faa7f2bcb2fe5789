#pragma once

#include <optional>
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

enum class LegendPlace { beside, below, inside };

struct PlacedLegend {
    LegendGrid grid;
    LegendPlace place;
    double left;
    double top;  ///< of a legend below the axes, the label of the x axis decides
};

/// The parts of a layout around which texts are placed.
struct Frames {
    Box place;              ///< the box of all panels; with equal aspect they do not fill it
    std::vector<Box> axes;  ///< frames of the panels, in the order of reading
    std::size_t across;     ///< number of panels in a row
    std::optional<Box> colorbar;
    std::optional<PlacedLegend> legend;
    Box page;    ///< the box in which the title may be
    Box middle;  ///< the box in which the axis labels may be, each along its axis

    /// Returns the box around all panels.
    Box hull() const;
    /// Return the panels with ticks: panels with no panel to their left, and panels with no panel
    /// below.
    std::vector<Box> at_left() const;
    std::vector<Box> at_bottom() const;
};

/// Returns the frames in their usual places, as in matplotlib's default figure or as in a window.
Frames usual_frames(const FigureSpec& spec, const Medium& medium);

/// Returns frames with the axes in `place`, a colour bar to the right of the axes, and a legend to
/// their right, below, or in the first corner of the axes that has room for it: at the upper right,
/// upper left, lower right or lower left. If no corner has room, there is no legend.
Frames frames_in(const Box& place, LegendPlace legend, const FigureSpec& spec,
                 const Medium& medium);

/// Returns the height that the title of a panel takes above it; 0 if no panel has a title.
double panel_title_room(const FigureSpec& spec, const Medium& medium);

}  // namespace pegen
