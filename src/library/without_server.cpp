#include "cli/commands.h"
#include "core/error.h"

namespace pegen::cli {

/// Stands in the library for the command of the program, so that the library has no server in it
/// and needs none of its libraries.
ExitStatus run_explore(std::span<const std::string_view>) {
    throw UsageError("explore: is a command of the program pe-gen");
}

}  // namespace pegen::cli
