#pragma once

#include <span>
#include <string_view>

#include "cli/arguments.h"
#include "cli/exit_status.h"
#include "cli/subject.h"

namespace pegen::cli {

/// Does what `pe-gen arguments...` asks for.
/// Throws: UsageError, FormatError, FileError, std::bad_alloc; then no file has been changed.
ExitStatus run(std::span<const std::string_view> arguments);

/// Makes the tables of an encoding, a preset or a mechanism, or prints its help.
/// Throws: as run.
ExitStatus run_subject(const Subject& subject, std::span<const std::string_view> arguments);

/// The same for arguments that are split already, by options_of(subject).
ExitStatus run_subject(const Subject& subject, Arguments given);

}  // namespace pegen::cli
