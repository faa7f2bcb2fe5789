#pragma once

#include "pegen/figure/layout.h"
#include "pegen/figure/ticks.h"

namespace pegen {

/// The parts of a layout that texts are placed around.
struct Frames {
    double width;  ///< of the picture
    double height;
    double dpi;
    Box axes;
    std::optional<Box> colorbar;
};

/// What stands along the axes: all the ticks, and the texts that fit.
struct Labels {
    std::vector<double> x_ticks;  ///< in pixels
    std::vector<double> y_ticks;
    std::vector<double> colorbar_ticks;
    std::vector<PlacedText> texts;
};

Labels place_labels(const FigureSpec& spec, const Frames& frames);

/// Lengths of the figure's furniture, in points.
inline constexpr double tick_length = 3.5;
inline constexpr double line_width = 0.8;

/// Pixels of a length in points.
inline double in_pixels(double points, double dpi) { return points * dpi / 72; }

}  // namespace pegen
