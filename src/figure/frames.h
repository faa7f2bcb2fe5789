#pragma once

#include <optional>
#include <vector>

#include "figure/layout.h"
#include "figure/legend.h"

namespace pegen {

/// A legend beside the axes, or below them.
struct PlacedLegend {
    LegendGrid grid;
    double left;
    bool is_below;
};

/// The parts of a layout around which texts are placed.
struct Frames {
    Box place;              ///< what the panels share; with equal aspect they do not fill it
    std::vector<Box> axes;  ///< of the panels, in the order of reading
    std::size_t across;     ///< number of panels in a row
    std::optional<Box> colorbar;
    std::optional<PlacedLegend> legend;
    Box page;    ///< where the title may be
    Box middle;  ///< where the labels of the axes may be, each along its axis

    /// The box around all panels.
    Box hull() const;
    /// The panels that have ticks: those with no panel to the left, and those with none below.
    std::vector<Box> at_left() const;
    std::vector<Box> at_bottom() const;
};

/// Returns the frames in their usual places: those of matplotlib's default figure, or of a window.
Frames usual_frames(const FigureSpec& spec, const Medium& medium);

/// Returns frames with the axes in `place`, a colour bar to the right of it, and a legend there or
/// below.
Frames frames_in(const Box& place, bool is_legend_below, const FigureSpec& spec,
                 const Medium& medium);

/// The height above a panel that its title takes; 0 if no panel has a title.
double panel_title_room(const FigureSpec& spec, const Medium& medium);

}  // namespace pegen
