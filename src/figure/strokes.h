#pragma once

#include <algorithm>
#include <cmath>

#include "figure/figure.h"
#include "figure/image.h"

namespace pegen {

/// Returns the pixel whose left (or upper) edge is nearest to `edge`.
inline int nearest_pixel(double edge) { return static_cast<int>(std::floor(edge + 0.5)); }

/// A line of the layout. If its width is an odd number of pixels, its middle is on the middle of
/// the pixel whose left (or upper) edge is nearest; if even, on that edge, between two pixels.
struct Stroke {
    double half;  ///< half of the width
    double shift;

    explicit Stroke(double width)
        : half(width / 2), shift(std::max(1L, std::lround(width)) % 2 == 1 ? 0.5 : 0) {}
    double middle(double edge) const { return nearest_pixel(edge) + shift; }
};

// The pixels that a shape covers, with smooth edges; relative to the upper left of the picture.

Mask cover(const Curve& curve);
Mask cover(const Band& band);

}  // namespace pegen
