#pragma once

#include <optional>
#include <span>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/colormap.h"
#include "figure/figure.h"
#include "figure/limits.h"
#include "figure/medium.h"
#include "figure/views.h"

namespace pegen {

/// True if --vmin, --vmax and --vcentre determine both limits, whatever the values are.
bool has_both_limits(const Parameters& parameters);

/// Returns the limits of the colours, given the limits of the values: --vmin and --vmax and, with
/// --vcentre, limits at equal distances below and above it that contain all values. The two limits
/// differ.
/// Throws: UsageError if --vmin, --vmax, --vcentre and the values contradict each other.
Limits colour_limits(Limits of_values, const Parameters& parameters);

/// Returns the colours of --cmap or, if it is not given, the table's: a sequential map for shares.
Palette palette_for(const Table& table, const Parameters& parameters);

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
