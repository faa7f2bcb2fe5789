#pragma once

#include <span>

#include "figure/figure.h"
#include "figure/medium.h"
#include "figure/views.h"

namespace pegen {

/// Whether only the heatmap is asked for, without axes.
bool is_bare(const Parameters& parameters);

/// The heatmaps of the views, which have one shape, in panels; with axes, ticks, labels, title and
/// colour bar, or bare. Row 0 is on top and column 0 at the left; --transpose swaps both.
/// NaN and infinities are drawn white. Asks the tables for their rows in blocks: memory does not
/// grow with their length.
Figure compose_heatmaps(std::span<const View> views, const Parameters& parameters,
                        const Medium& medium);

/// The options of figures of heatmaps, for Plot::options.
inline constexpr std::string_view heatmap_options =
    "cmap vmin vmax colorbar-label no-colorbar aspect interpolation transpose no-axes cell";

}  // namespace pegen
