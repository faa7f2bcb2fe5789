#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/process.h"
#include "cli/progress_line.h"
#include "core/json.h"

namespace pegen::cli {

/// Writes lines to standard output, as the last step of a command, and returns ExitStatus::done.
/// Control characters other than line breaks are escaped, as one_line() does. Text that comes from
/// a file and could contain a line break must have been passed through one_line() before.
/// Throws: FileError, as any other output does.
ExitStatus print(std::string_view text);

/// Returns what a command prints: `text`, or with --json a line of JSON: the members of `content`,
/// "schema" in front, "pe-gen/NAME/1", and behind them "text".
std::string report(bool is_json, std::string_view name, const Json& content, std::string text);

/// Writes text to standard error. Failures are ignored: there is nowhere to report them.
void print_error(std::string_view text) noexcept;

/// Writes notes for the user to standard error, one per line, unless `verbosity` is quiet.
void print_notes(std::span<const std::string> notes, Verbosity verbosity);

/// Prints the name and the version of the program.
ExitStatus print_version();

/// Returns one_line(text) for a message, shortened in the middle if it is very long.
std::string printable(std::string_view text);

}  // namespace pegen::cli
