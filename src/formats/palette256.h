#pragma once

#include "figure/image.h"

namespace pegen {

/// Returns the number of the nearest colour of xterm's palette, from 16 to 255: a cube of 6 x 6 x 6
/// colours, then 24 greys. The first 16 are left out because users choose them. Distances are
/// Euclidean in OKLab (B. Ottosson, 2020) with a and b doubled, so that hue and saturation weigh
/// more than in OKLab itself; of colours that are equally near it is the first.
int nearest_of_256(Rgb colour);

}  // namespace pegen
