#pragma once

#include <optional>
#include <vector>

#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/heatmap.h"
#include "figure/image.h"

namespace pegen {

/// Paints a grid; pixels without a value have the theme's ground. The image has all 256 colours of
/// the palette, or 255 of them if a pixel has no value.
Image paint(const IndexGrid& grid, const Palette& palette, double dpi, const Theme& theme = {});

/// Paints a figure, or only the grid of a bare figure.
Image paint(const Figure& figure);

/// Paints grids, bands and curves, but no lines and no texts. Returns the pixels row-major; a pixel
/// that is less than half covered has no value.
std::vector<std::optional<Rgb>> paint_without_ground(const Figure& figure);

}  // namespace pegen
