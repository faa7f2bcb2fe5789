#pragma once

#include <optional>

#include "core/progress.h"
#include "identify/kernel.h"

namespace pegen::identify {

/// Returns the answer if every value was multiplied by the same number, or none was changed; else
/// nothing.
std::optional<KernelIdentification> scaling(const KernelQuestion& question,
                                            const Progress& progress);

/// Returns a number in words, with its root if it is one: "8, the square root of 64".
std::string factor_text(double factor, std::int64_t channels);

}  // namespace pegen::identify
