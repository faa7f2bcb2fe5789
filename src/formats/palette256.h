#pragma once

#include "figure/image.h"

namespace pegen {

/// The number, from 16 to 255, of the colour of xterm's palette that is nearest: a cube of 6 x 6 x
/// 6 colours, then 24 greys. The first 16, which users choose, are left out. Distances are
/// Euclidean in OKLab (B. Ottosson, 2020) with a and b doubled; of colours equally near it is the
/// first.
int nearest_of_256(Rgb colour);

}  // namespace pegen
