#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::mpi {

/// Does what `pe-gen batch arguments...` asks for, on all ranks: whichever is free takes the next
/// job, the most expensive ones first. The first rank reports, and writes the index. Throws:
/// Stopped, on every rank, if the manifest is refused.
cli::ExitStatus run_batch(std::span<const std::string_view> arguments);

}  // namespace pegen::mpi
