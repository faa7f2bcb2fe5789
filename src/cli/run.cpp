#include "cli/run.h"

#include <fmt/format.h>

#include <utility>

#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/help/topics.h"
#include "cli/mistakes.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/request.h"
#include "core/error.h"

namespace pegen::cli {
namespace {

ExitStatus run_request(const Request& request) {
    ProgressLine line(request.run.verbosity);
    switch (request.run.action) {
        case Action::generate:
            generate(request, line);
            break;
        case Action::dry_run:
            print_dry_run(request, line);
            break;
        case Action::version:
            return print_version();
    }
    return ExitStatus::done;
}

}  // namespace

ExitStatus run_subject(const Subject& subject, std::span<const std::string_view> arguments) {
    return run_request(parse_request(subject, arguments));
}

ExitStatus run_subject(const Subject& subject, Arguments given) {
    return run_request(parse_request(subject, std::move(given)));
}

ExitStatus run(std::span<const std::string_view> arguments) {
    if (arguments.empty()) {
        throw UsageError("nothing to do; try pe-gen sinusoid --d 10 --len 4, or pe-gen --help");
    }
    if (arguments.front() == "--") return run(arguments.subspan(1));
    if (const auto question = help_question(arguments)) return print(help_on(*question));
    const std::string_view name = arguments.front();
    const auto rest = arguments.subspan(1);
    if (name == "--version" || name == "-V") return print_version();
    if (name.starts_with('-')) throw UsageError(option_without_name(name));
    if (const Command* command = find_command(name)) return command->run(rest);
    return run_subject(typed_subject(name), rest);
}

}  // namespace pegen::cli
