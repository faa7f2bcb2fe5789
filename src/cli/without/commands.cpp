#include "cli/commands.h"

#include "cli/identified_as.h"
#include "core/error.h"

// Replaces the commands and src/recognition in the page's program, which answers requests alone.
// Its messages name commands, and operations of apply. A command that is not here would be linked,
// with all that it needs.
namespace pegen::cli {

#define PEGEN_WITHOUT(command)                                       \
    ExitStatus run_##command(std::span<const std::string_view>) {    \
        throw UsageError(#command ": is not in the page's program"); \
    }                                                                \
    Usage command##_usage(std::span<const std::string_view>, HelpLength) { return {}; }

PEGEN_WITHOUT(list)
PEGEN_WITHOUT(describe)
PEGEN_WITHOUT(explain)
PEGEN_WITHOUT(compare)
PEGEN_WITHOUT(batch)
PEGEN_WITHOUT(concat)
PEGEN_WITHOUT(plot)
PEGEN_WITHOUT(info)
PEGEN_WITHOUT(identify)
PEGEN_WITHOUT(diff)
PEGEN_WITHOUT(check)
PEGEN_WITHOUT(attention)
PEGEN_WITHOUT(explore)
PEGEN_WITHOUT(completion)
PEGEN_WITHOUT(manual)
PEGEN_WITHOUT(help)

FileOrigin identified_as(std::string_view, const Table&, const Progress&) { return {}; }

}  // namespace pegen::cli
