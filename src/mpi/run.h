#pragma once

#include <span>
#include <string_view>

#include "cli/process.h"

namespace pegen::mpi {

/// Does what `pe-gen-mpi arguments...` asks for, on all ranks together: makes a table, or runs the
/// jobs of batch. Returns the same status on every rank; failures have been reported by the first
/// rank.
cli::ExitStatus run(std::span<const std::string_view> arguments);

}  // namespace pegen::mpi
