#pragma once

#include "figure/figure.h"
#include "figure/mask.h"

namespace pegen {

// The pixels that a shape covers, with smooth edges; relative to the upper left of the picture.

Mask cover(const Curve& curve);
Mask cover(const Band& band);

}  // namespace pegen
