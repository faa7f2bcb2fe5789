#pragma once

#include "figure/layout.h"
#include "figure/ticks.h"

namespace pegen {

/// The parts of a layout around which texts are placed.
struct Frames {
    std::vector<Box> axes;  ///< of the panels, in the order of reading
    std::size_t across;     ///< number of panels in a row
    std::optional<Box> colorbar;
    std::optional<double> legend;  ///< its left edge

    /// The box around all panels.
    Box hull() const;
    /// The panels that have ticks: those with no panel to the left, and those with none below.
    std::vector<Box> at_left() const;
    std::vector<Box> at_bottom() const;
};

/// A tick on an axis, in pixels.
struct PlacedTick {
    double pixel;  ///< position along the axis
    double edge;   ///< the edge of the frame where it begins
    bool is_minor;
};

/// What stands around the axes: all ticks, and the texts that fit.
struct Labels {
    std::vector<PlacedTick> x_ticks;
    std::vector<PlacedTick> y_ticks;
    std::vector<PlacedTick> colorbar_ticks;
    std::vector<Curve> sample_curves;
    std::vector<Band> sample_bands;
    std::vector<PlacedText> texts;
};

/// The height above a panel that its title takes; 0 if no panel has a title.
double panel_title_room(const FigureSpec& spec, const Medium& medium);

/// Places ticks, tick labels, axis labels, legend and titles, in this order of importance: what
/// would touch something placed before is left out.
Labels place_labels(const FigureSpec& spec, const Frames& frames, const Medium& medium);

}  // namespace pegen
