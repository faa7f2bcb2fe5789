#pragma once

#include "figure/axis_ticks.h"
#include "figure/frames.h"
#include "figure/names.h"

namespace pegen {

/// A tick on an axis, in pixels.
struct PlacedTick {
    double pixel;  ///< position along the axis
    double edge;   ///< the edge of the frame where it begins
    bool is_minor;
};

/// The parts around the axes: all ticks, and the texts that fit.
struct Labels {
    std::vector<PlacedTick> x_ticks;
    std::vector<PlacedTick> y_ticks;
    std::vector<PlacedTick> colorbar_ticks;
    std::vector<Curve> sample_curves;
    std::vector<Band> sample_bands;
    std::vector<PlacedText> texts;
    std::vector<TextRole> left_out;  ///< roles of texts without room, each once
};

/// The ticks of all axes of a figure.
struct AxesTicks {
    LabelledTicks x;
    LabelledTicks y;
    LabelledTicks colorbar;
};

/// Places the labels of the ticks, and returns the ticks.
AxesTicks place_axes_ticks(Page& page, const FigureSpec& spec, const Frames& frames,
                           const Medium& medium);

/// Places ticks, tick labels, legend, axis labels and titles, in this order of importance. A text
/// that would touch a part placed before, or stick out of the picture, is left out.
Labels place_labels(const FigureSpec& spec, const Names& names, const Frames& frames,
                    const Medium& medium);

/// Returns the height above the axes that the title and powers of ten take.
double titles_room(const Names& names, const AxesTicks& ticks, const Medium& medium);

}  // namespace pegen
