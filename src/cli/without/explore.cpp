#include "cli/commands.h"
#include "core/error.h"

namespace pegen::cli {

/// Replaces src/cli/explore/explore.cpp in the library, which thereby contains no server and needs
/// none of its libraries, and in a program that is built without `explore`.
ExitStatus run_explore(std::span<const std::string_view>) {
    throw UsageError("explore: is not in this build; pe-gen has it if built with PEGEN_EXPLORE=ON");
}

}  // namespace pegen::cli
