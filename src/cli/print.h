#pragma once

#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// Writes to standard output, as the last step of a command, and returns ExitStatus::done.
/// Throws: FileError, as any other output does.
ExitStatus print(std::string_view text);

}  // namespace pegen::cli
