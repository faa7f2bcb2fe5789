#include "mpi/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/help_topics.h"
#include "cli/print.h"
#include "cli/request.h"
#include "cli/run.h"
#include "cli/subject.h"
#include "core/error.h"
#include "mpi/batch.h"
#include "mpi/generate.h"
#include "mpi/ranks.h"

namespace pegen::mpi {
namespace {

using Arguments = std::span<const std::string_view>;

/// True if the arguments only ask for something to be printed.
bool is_question(Arguments arguments) {
    if (arguments.empty() || cli::help_question(arguments)) return true;
    return arguments.front() == "--version" || arguments.front() == "-V";
}

/// Throws: UsageError for standard input, which only the first rank has, and standard output.
void check_words(Arguments arguments) {
    if (std::ranges::count(arguments, "-") == 0) return;
    throw UsageError(
        "-: ranks share neither standard input nor standard output; name a file, or use pe-gen");
}

/// Throws: UsageError for a command that makes no table.
void check_command(std::string_view name) {
    const bool makes_tables = name == "attention" || name == "plot";
    if (!cli::find_command(name) || makes_tables) return;
    throw UsageError(fmt::format(
        "{}: pe-gen-mpi makes tables, and the jobs of batch; use pe-gen {}", name, name));
}

/// Does on the first rank what only prints.
void print_on_first(Arguments arguments) {
    together([&] {
        if (rank() == 0) cli::run(arguments);
    });
}

void run_table(Arguments arguments) {
    cli::Request request;
    together([&] {
        check_command(arguments.front());
        const cli::NamedArguments named = cli::named_arguments(arguments);
        request = cli::parse_request(named.subject, named.rest);
    });
    if (request.run.action == cli::Action::generate) return generate(request);
    print_on_first(arguments);  // --dry-run, --version
}

}  // namespace

cli::ExitStatus run(Arguments arguments) {
    const Session session;
    try {
        together([&] { check_words(arguments); });
        if (is_question(arguments)) {
            print_on_first(arguments);
        } else if (arguments.front() == "batch") {
            return run_batch(arguments.subspan(1));
        } else {
            run_table(arguments);
        }
        return cli::ExitStatus::done;
    } catch (const Stopped& stopped) {
        if (rank() == 0) cli::print_error(fmt::format("pe-gen: {}\n", stopped.failure.message));
        return stopped.failure.status;
    }
}

}  // namespace pegen::mpi
