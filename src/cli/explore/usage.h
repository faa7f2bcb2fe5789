#pragma once

#include <span>

#include "core/parameters.h"

namespace pegen::cli {

/// Returns the options of `explore` that are not options of the table: --port, --no-open and
/// --threads.
std::span<const ParameterSpec> explore_options();

}  // namespace pegen::cli
