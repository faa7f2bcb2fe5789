#pragma once

#include <optional>
#include <vector>

#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/heatmap.h"
#include "figure/image.h"

namespace pegen {

/// Paints a grid; pixels without a value are white. The image has all 256 colours of the palette,
/// or 255 of them if there is such a pixel.
Image paint(const IndexGrid& grid, const Palette& palette, double dpi);

/// Paints a figure on white ground; of a bare one, its grid.
Image paint(const Figure& figure);

/// Paints grids, bands and curves, without lines and texts; row-major. Pixels less than half of
/// which is covered have no value.
std::vector<std::optional<Rgb>> paint_without_ground(const Figure& figure);

}  // namespace pegen
