#pragma once

#include <string>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// Writes to standard output, as the last step of a command, and returns ExitStatus::done.
/// Throws: FileError, as any other output does.
ExitStatus print(std::string_view text);

/// Writes to standard error. Failures are ignored: there is nowhere to report them.
void print_error(std::string_view text) noexcept;

/// Prints the name and the version of the program.
ExitStatus print_version();

/// Returns one line of limited length, without control characters, whatever the user typed or a
/// file says.
std::string printable(std::string_view text);

}  // namespace pegen::cli
