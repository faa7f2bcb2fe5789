#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// Does what `pe-gen arguments...` asks for.
/// Throws: UsageError, FormatError, FileError, std::bad_alloc; then no file has been changed.
ExitStatus run(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
