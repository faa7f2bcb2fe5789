#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/exit_status.h"
#include "cli/progress_line.h"

namespace pegen::cli {

/// Writes lines to standard output, as the last step of a command, and returns ExitStatus::done.
/// Other control characters than line breaks are written as in one_line(): what comes from a file
/// and could have a line break in it must be one_line() already.
/// Throws: FileError, as any other output does.
ExitStatus print(std::string_view text);

/// Writes to standard error. Failures are ignored: there is nowhere to report them.
void print_error(std::string_view text) noexcept;

/// Writes what the user should know, a line each, to standard error, unless it is to be quiet.
void print_notes(std::span<const std::string> notes, Verbosity verbosity);

/// Prints the name and the version of the program.
ExitStatus print_version();

/// Returns one_line(text), shortened in the middle if it is very long: for messages.
std::string printable(std::string_view text);

}  // namespace pegen::cli
