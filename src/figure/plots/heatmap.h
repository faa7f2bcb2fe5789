#pragma once

#include <optional>
#include <span>

#include "figure/figure.h"
#include "figure/medium.h"
#include "figure/views.h"

namespace pegen {

/// True for a bare heatmap: --no-axes or --cell is given.
bool is_bare(const Parameters& parameters);

/// The scales of heatmaps whose axes do not count their cells.
struct HeatmapScales {
    Scale x;
    Scale y;
};

/// Draws the heatmaps of the views, which must have the same shape, in panels, with axes, ticks,
/// labels, title and colour bar, or bare. Row 0 is at the top and column 0 at the left; with
/// --transpose, row 0 at the left and column 0 at the top. NaN and infinities have the
/// colour of the ground. The tables are read in blocks: memory does not grow with their length.
Figure compose_heatmaps(std::span<const View> views, const Parameters& parameters,
                        const Medium& medium, const std::optional<HeatmapScales>& scales = {});

/// The options of all pictures that are heatmaps, for Plot::common_options.
inline constexpr std::string_view colour_options =
    "cmap vmin vmax vcentre colour-scale colorbar-label no-colorbar aspect interpolation transpose";

}  // namespace pegen
