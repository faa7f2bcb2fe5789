#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/explore/asked.h"
#include "cli/explore/browser.h"
#include "cli/explore/replies.h"
#include "cli/explore/routes.h"
#include "cli/explore_usage.h"
#include "cli/options.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "files/open_file.h"
#include "http/server.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

/// What stands behind the name of the command: options of its own, and the table to begin with.
struct Start {
    Parameters own;
    std::string fragment;  ///< of the page's address
};

Start start_of(std::span<const std::string_view> arguments) {
    const auto own = explore_options();
    const bool has_name = !arguments.empty() && !arguments.front().starts_with('-');
    const std::string_view name = has_name ? arguments.front() : "sinusoid";
    const Subject subject = find_subject(name);
    std::vector<const ParameterSpec*> specs = options_of(subject);
    for (const ParameterSpec& spec : own) specs.push_back(&spec);
    Arguments given = parse_arguments(arguments.subspan(has_name ? 1 : 0), specs, "explore");
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("explore: unexpected argument '{}'; options begin with --",
                                     given.positionals.front()));
    }
    Start start{with_options(Parameters(own), given.options), ""};
    std::erase_if(given.options,
                  [&](const GivenOption& option) { return is_among(own, option.spec); });
    check_options_of_page(subject, given.options);
    const std::string query = query_of(given.options);
    start.fragment = fmt::format("{}{}{}", subject.name(), query.empty() ? "" : "?", query);
    return start;
}

}  // namespace

ExitStatus run_explore(std::span<const std::string_view> arguments) {
    const Start start = start_of(arguments);
    if (start.own.has("threads")) limit_threads(start.own.integer("threads"));
    numerics::self_test();
    http::Server server(static_cast<int>(start.own.integer("port")));
    const std::string address =
        fmt::format("http://127.0.0.1:{}/#{}", server.port(), start.fragment);
    start_pages_with(start.fragment);
    open_no_files();
    print(fmt::format("{}\nCtrl-C ends it.\n", address));
    if (!start.own.flag("no-open")) open_browser(address);
    server.serve(answer);
    return ExitStatus::done;
}

}  // namespace pegen::cli
