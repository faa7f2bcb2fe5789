#pragma once

#include "figure/figure.h"

namespace pegen {

/// The ends beyond which there are values.
Arrows arrows_of(Limits of_values, Limits of_colours);

/// What is left of a colour bar between its arrows: each is a twentieth as high as that.
Box between_arrows(const Box& whole, Arrows arrows);

/// Adds the arrows of a colour bar to the figure; `bar` is what lies between them.
void add_arrows(Figure& figure, const Box& bar, Arrows arrows, double line_width);

}  // namespace pegen
