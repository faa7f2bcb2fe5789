#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::mpi {

/// Does what `pe-gen-mpi arguments...` asks for, on all ranks together: a table, or the jobs of
/// batch. Returns the same status on every rank; the first one has reported what failed.
cli::ExitStatus run(std::span<const std::string_view> arguments);

}  // namespace pegen::mpi
