#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"
#include "core/parameters.h"

namespace pegen::cli {

/// Returns the options --permuted and --of.
std::span<const ParameterSpec> permuted_options();

/// Runs `pe-gen identify --permuted Wq.npy --of Wq0.npy`: finds out how the rows of the original
/// weight (--of) were reordered to give the permuted one. Throws: as run().
ExitStatus run_identify_permuted(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
