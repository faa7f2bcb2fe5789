#pragma once

#include "figure/layout.h"
#include "figure/ticks.h"

namespace pegen {

/// The parts of a layout that texts are placed around.
struct Frames {
    std::vector<Box> axes;  ///< of the panels, in the order of reading
    std::size_t across;     ///< panels in a row
    std::optional<Box> colorbar;
    std::optional<double> legend;  ///< where it begins

    /// Around all panels.
    Box hull() const;
    /// The panels that have ticks: those with none to the left, and those with none below.
    std::vector<Box> at_left() const;
    std::vector<Box> at_bottom() const;
};

/// A tick on an axis, in pixels.
struct PlacedTick {
    double pixel;  ///< along the axis
    double edge;   ///< of the frame it begins at, across the axis
    bool is_minor;
};

/// What stands along the axes: all the ticks, and the texts that fit.
struct Labels {
    std::vector<PlacedTick> x_ticks;
    std::vector<PlacedTick> y_ticks;
    std::vector<PlacedTick> colorbar_ticks;
    std::vector<Curve> sample_curves;
    std::vector<Band> sample_bands;
    std::vector<PlacedText> texts;
};

/// The height above a panel that its title takes; 0 where no panel has one.
double panel_title_room(const FigureSpec& spec, const Medium& medium);

Labels place_labels(const FigureSpec& spec, const Frames& frames, const Medium& medium);

}  // namespace pegen
