#pragma once

#include "figure/frames.h"
#include "figure/names.h"

namespace pegen {

/// Returns frames with margins as wide as what stands in them: tick labels, names, colour bar and
/// legend. With `may_narrow` false, no margin is narrower than around the axes' usual place.
Frames fitted_frames(const FigureSpec& spec, const Names& names, bool is_legend_below,
                     bool may_narrow, const Medium& medium);

}  // namespace pegen
