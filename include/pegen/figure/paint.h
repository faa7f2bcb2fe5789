#pragma once

#include "pegen/figure/colormap.h"
#include "pegen/figure/heatmap.h"
#include "pegen/figure/image.h"
#include "pegen/figure/layout.h"

namespace pegen {

/// The colours of the grid; pixels without a value are white.
Image paint(const IndexGrid& grid, const Palette& palette, double dpi);

/// The figure: white ground, the heatmap in the axes, the colour bar, lines, texts. `body` has the
/// size of layout.body.
Image paint(const Layout& layout, const IndexGrid& body, const Palette& palette);

}  // namespace pegen
