#pragma once

#include "figure/figure.h"

namespace pegen {

/// The heatmap, of the size of panel.body, without what lies beyond the frame.
PlacedGrid body_within_frame(const Panel& panel, IndexGrid body);

/// The 256 indices, the last on top.
PlacedGrid colorbar_grid(const PixelArea& area);

}  // namespace pegen
