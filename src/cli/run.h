#pragma once

#include <span>
#include <string_view>

#include "cli/arguments.h"
#include "cli/process.h"
#include "cli/subject.h"

namespace pegen::cli {

/// Runs `pe-gen arguments...`.
/// Throws: UsageError, FormatError, FileError, std::bad_alloc. If it throws, no file has been
/// changed.
ExitStatus run(std::span<const std::string_view> arguments);

/// Runs the command line of an encoding, a preset or a mechanism: makes its tables, or prints what
/// would be made, or the version. Throws: as run().
ExitStatus run_subject(const Subject& subject, std::span<const std::string_view> arguments);

/// Runs a command line whose arguments are already split by options_of(subject).
ExitStatus run_subject(const Subject& subject, Arguments given);

}  // namespace pegen::cli
