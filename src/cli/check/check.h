#pragma once

#include <span>
#include <string_view>

#include "cli/commands.h"
#include "cli/process.h"

namespace pegen::cli {

/// Runs `pe-gen check concat arguments...`. Throws: UsageError, FileError, FormatError.
ExitStatus check_concat(std::span<const std::string_view> arguments);

/// Returns the usage that `pe-gen check concat --help` prints.
Usage check_concat_usage();

}  // namespace pegen::cli
