#include <algorithm>
#include <array>
#include <string>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/names.h"

namespace pegen::cli {

ExitStatus run_describe(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, {&help_option});
    if (given.has(help_option)) return print(program_help());
    if (given.positionals.size() != 1) {
        throw UsageError("describe: needs one name, as in pe-gen describe sinusoid");
    }
    return print(description(find_subject(given.positionals.front())));
}

ExitStatus run_help(std::span<const std::string_view> arguments) {
    const Arguments given = parse_arguments(arguments, {&help_option});
    if (given.positionals.empty()) return print(program_help());
    if (given.positionals.size() > 1) throw UsageError("help: needs at most one name");
    const std::string& name = given.positionals.front();
    const auto command = std::ranges::find(all_commands(), hyphenated(name), &Command::name);
    if (command != all_commands().end()) {
        return command->run(std::array<std::string_view, 1>{"--help"});
    }
    return print(subject_help(find_subject(name)));
}

}  // namespace pegen::cli
