#pragma once

#include <span>

#include "core/parameters.h"

namespace pegen::cli {

/// The options of `explore` besides those of the table: --port, --no-open and --threads.
std::span<const ParameterSpec> explore_options();

}  // namespace pegen::cli
