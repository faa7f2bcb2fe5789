#pragma once

#include <optional>

#include "core/progress.h"
#include "identify/kernel.h"

namespace pegen::identify {

/// Returns the answer if a table that an encoding makes was added to the array, or to a multiple of
/// it; else nothing.
std::optional<KernelIdentification> sum(const KernelQuestion& question, const Progress& progress);

}  // namespace pegen::identify
