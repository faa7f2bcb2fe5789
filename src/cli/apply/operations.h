#pragma once

#include "cli/apply/operation.h"

namespace pegen::cli::operations {

extern const Operation rope;
extern const Operation rope_grid;
extern const Operation mrope;
extern const Operation add;
extern const Operation bias;
extern const Operation rope_permute;
extern const Operation resize;

}  // namespace pegen::cli::operations
