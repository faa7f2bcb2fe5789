#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// Does what main() of a program is for: prepares the standard streams, the signals and what
/// happens without memory, and calls `run` with the arguments. Returns its status, or that of what
/// it throws, which is reported on standard error.
int run_process(int argc, char** argv, ExitStatus (*run)(std::span<const std::string_view>));

}  // namespace pegen::cli
