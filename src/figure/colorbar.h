#pragma once

#include "figure/medium.h"

namespace pegen {

/// Returns the colour bar of axes in their usual place.
Box usual_colorbar(const Medium& medium);

/// Returns the colour bar to the right of `place`, the place of the axes.
Box colorbar_beside(const Box& place, const Medium& medium);

}  // namespace pegen
