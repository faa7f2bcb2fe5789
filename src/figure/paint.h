#pragma once

#include <optional>
#include <vector>

#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/heatmap.h"
#include "figure/image.h"

namespace pegen {

/// The colours of the grid; pixels without a value are white. All 256 colours are the palette's; in
/// a grid with such pixels, 255.
Image paint(const IndexGrid& grid, const Palette& palette, double dpi);

/// The figure on white ground; a bare one is its grid, painted.
Image paint(const Figure& figure);

/// Grids, bands and curves as pixels, row-major; those that nothing covers, or less than half of
/// them, have no value. Lines and texts are left out.
std::vector<std::optional<Rgb>> paint_without_ground(const Figure& figure);

}  // namespace pegen
