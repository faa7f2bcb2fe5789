#pragma once

#include "core/parameters.h"
#include "figure/limits.h"

namespace pegen {

/// True if --vmin, --vmax and --vcentre leave no limit to the values.
bool has_both_limits(const Parameters& parameters);

/// Returns the limits of the colours, given those of the values: --vmin, --vmax, and, with
/// --vcentre, limits as far below as above it, within which all values are. They differ.
/// Throws: UsageError if --vmin, --vmax, --vcentre and the values do not go together.
Limits colour_limits(Limits of_values, const Parameters& parameters);

}  // namespace pegen
