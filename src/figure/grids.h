#pragma once

#include "figure/figure.h"

namespace pegen {

/// Places a heatmap of the size of panel.body and cuts off what lies beyond the frame.
PlacedGrid body_within_frame(const Panel& panel, IndexGrid body);

}  // namespace pegen
