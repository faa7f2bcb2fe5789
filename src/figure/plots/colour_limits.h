#pragma once

#include "core/parameters.h"
#include "core/table.h"
#include "figure/colormap.h"
#include "figure/limits.h"

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

}  // namespace pegen
