#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"
#include "core/parameters.h"

namespace pegen::cli {

/// --before, --after, --position-axis and --heads.
std::span<const ParameterSpec> kernel_options();

/// Does what `pe-gen identify --before X.npy --after Y.npy` asks for: says what a kernel does.
/// Throws: as run.
ExitStatus run_identify_kernel(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
