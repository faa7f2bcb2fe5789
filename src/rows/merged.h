#pragma once

#include <vector>

#include "core/table.h"

namespace pegen::rows {

/// Returns rows of which row i is the bitwise or of the rows i of all sources: each source has
/// zeros where another one has values.
RowSource merged(std::vector<RowSource> sources);

}  // namespace pegen::rows
