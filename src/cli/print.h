#pragma once

#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// Writes to standard output: the last thing a command does, which then is done.
/// Throws: FileError, as any other output.
ExitStatus print(std::string_view text);

}  // namespace pegen::cli
