#pragma once

#include <span>
#include <string_view>

#include "cli/commands.h"
#include "cli/exit_status.h"

namespace pegen::cli {

/// Does what `pe-gen check concat arguments...` asks for. Throws: UsageError, FileError,
/// FormatError.
ExitStatus check_concat(std::span<const std::string_view> arguments);

/// `pe-gen check concat --help`
Usage check_concat_usage();

}  // namespace pegen::cli
