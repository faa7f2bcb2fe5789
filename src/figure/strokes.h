#pragma once

#include "figure/figure.h"
#include "figure/mask.h"

namespace pegen {

// What shapes cover, with smooth edges; the origin is the upper left of the picture.

Mask cover(const Curve& curve);
Mask cover(const Band& band);

}  // namespace pegen
