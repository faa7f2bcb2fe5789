#pragma once

#include <algorithm>
#include <cmath>

namespace pegen {

/// The pixel whose left (or upper) edge is nearest.
inline int nearest_pixel(double edge) { return static_cast<int>(std::floor(edge + 0.5)); }

/// A line of the layout. Its middle is, for an odd number of pixels, on the middle of the pixel
/// whose left (or upper) edge is nearest; for an even one between two.
struct Stroke {
    double half;  ///< of its width
    double shift;

    explicit Stroke(double width)
        : half(width / 2), shift(std::max(1L, std::lround(width)) % 2 == 1 ? 0.5 : 0) {}
    double middle(double edge) const { return nearest_pixel(edge) + shift; }
};

}  // namespace pegen
