#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/identified_as.h"
#include "core/error.h"

// Replaces src/recognition and src/cli/identify in a build without them.
namespace pegen::cli {

ExitStatus run_identify(std::span<const std::string_view>) {
    throw UsageError(
        "identify: is not in this build; pe-gen has it if built with PEGEN_RECOGNITION=ON");
}

Usage identify_usage(std::span<const std::string_view>, HelpLength) {
    Usage usage = command_usage("identify", {"identify mine.npy"}, {}, {.are_files = true});
    usage.remark = "Is not in this build; pe-gen has it if built with PEGEN_RECOGNITION=ON.";
    return usage;
}

FileOrigin identified_as(std::string_view, const Table&, const Progress&) { return {}; }

}  // namespace pegen::cli
