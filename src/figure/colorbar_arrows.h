#pragma once

#include "figure/figure.h"

namespace pegen {

/// Returns at which ends of the colour bar there are values beyond the limits of the colours.
Arrows arrows_of(Limits of_values, Limits of_colours);

/// Returns the part of a colour bar between its arrows; each arrow is a twentieth as high as this
/// part.
Box between_arrows(const Box& whole, Arrows arrows);

/// Adds the arrows of a colour bar to the figure; `bar` is the part between the arrows.
void add_arrows(Figure& figure, const Box& bar, Arrows arrows, double line_width);

}  // namespace pegen
