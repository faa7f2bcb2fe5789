#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// Runs the program: prepares the standard streams, the signals and the handling of a lack of
/// memory, then calls `run` with the arguments. Returns the exit status of `run`. If `run` throws,
/// reports the error on standard error and returns the exit status for it.
int run_process(int argc, char** argv, ExitStatus (*run)(std::span<const std::string_view>));

}  // namespace pegen::cli
