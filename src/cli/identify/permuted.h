#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"
#include "core/parameters.h"

namespace pegen::cli {

/// --permuted and --of.
std::span<const ParameterSpec> permuted_options();

/// Does what `pe-gen identify --permuted Wq.npy --of Wq0.npy` asks for: says how the rows of one
/// weight were put into the order of the other. Throws: as run.
ExitStatus run_identify_permuted(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
