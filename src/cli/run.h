#pragma once

#include <span>
#include <string_view>

#include "cli/exit_status.h"

namespace pegen::cli {

/// What `pe-gen arguments...` does.
/// Throws: UsageError, FormatError, FileError, std::bad_alloc; nothing has been written then.
ExitStatus run(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
