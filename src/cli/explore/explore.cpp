#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/explore/asked.h"
#include "cli/explore/replies.h"
#include "cli/explore/usage.h"
#include "cli/options.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "files/array_file.h"
#include "files/open_file.h"
#include "files/system.h"
#include "formats/npy.h"
#include "formats/write.h"
#include "http/server.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

bool has_display() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
        const char* const value = std::getenv(name);
        if (value && *value) return true;
    }
    return false;
}

/// Opens the address in the user's browser, by xdg-open, if there is a display. Does not wait, and
/// ignores failures, since the address is also printed.
void open_browser(const std::string& address) {
    if (!has_display()) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    }
    std::string program = "xdg-open", argument = address;
    const std::array<char*, 3> words{program.data(), argument.data(), nullptr};
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, program.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return;
    // The child is awaited in a thread: it may run as long as the browser.
    std::thread([child] { ::waitpid(child, nullptr, 0); }).detach();
}

/// A file that the page compares with, as with one that is dropped on it.
struct GivenFile {
    std::string name;
    std::string content;  ///< NPY
};

/// The arguments of `explore`: its own options, and what the page shows first.
struct Start {
    Parameters own;
    std::string fragment;  ///< fragment of the page's address: the table and its options
    std::optional<GivenFile> file;
};

/// Returns an array of a file. Throws: as open_array(); UsageError if it is larger than what the
/// page takes, or has a dtype that NPY has not.
GivenFile given_file(std::string_view path) {
    const Table array = open_array(path).table;
    const Parameters parameters(formats::npy.parameters());
    constexpr std::int64_t most = http::Bounds{}.body;
    if (file_size(array, formats::npy, parameters).value_or(0) > most) {
        throw UsageError(
            fmt::format("{}: has shape {}: a page takes at most {} MiB; pe-gen compare takes more",
                        path, to_string(array.shape), most >> 20));
    }
    return {std::string(path.substr(path.rfind('/') + 1)),
            whole_file(array, formats::npy, parameters)};
}

/// Returns the number of arguments before the name of the encoding: options of `explore` and their
/// values.
std::size_t place_of_name(std::span<const std::string_view> arguments) {
    std::size_t place = 0;
    while (place < arguments.size() && arguments[place].starts_with("--")) {
        const std::string_view argument = arguments[place].substr(2);
        const std::size_t equals = argument.find('=');
        const ParameterSpec* const option =
            find_option(explore_options(), hyphenated(argument.substr(0, equals)));
        if (!option) break;
        const bool takes_next = equals == argument.npos && option->type != ParameterType::flag;
        place += takes_next ? 2 : 1;
    }
    return std::min(place, arguments.size());
}

Start start_of(std::span<const std::string_view> all) {
    const auto own = explore_options();
    std::vector<std::string_view> arguments(all.begin(), all.end());
    std::optional<std::string_view> name, file;
    auto place = arguments.begin() + static_cast<std::ptrdiff_t>(place_of_name(all));
    while (place != arguments.end() && !place->starts_with('-')) {
        std::optional<std::string_view>& operand = names_file(*place) ? file : name;
        if (operand) break;
        operand = *place;
        place = arguments.erase(place);
    }
    const Subject subject = subject_of_pages(name.value_or(usual_subject));
    std::vector<const ParameterSpec*> specs = options_of(subject);
    std::erase_if(specs, [&](const ParameterSpec* spec) { return find_option(own, spec->name); });
    for (const ParameterSpec& spec : own) specs.push_back(&spec);
    Arguments given = parse_arguments(arguments, specs, "explore");
    Start start{set_options(own, given.options), "", {}};
    std::erase_if(given.options,
                  [&](const GivenOption& option) { return is_among(own, option.spec); });
    // Options without an effect are refused here, since the page could not send them.
    check_effect(asked_for(subject, given).request, given.options);
    std::string query = query_of(given.options);
    if (file) {
        start.file = given_file(*file);
        query += fmt::format("{}file={}", query.empty() ? "" : "&", escaped(start.file->name));
    }
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
    keep_memory();
    share_kept_memory();
    open_no_files();
    print(fmt::format("{}\nCtrl-C ends it.\n", address));
    if (!start.own.flag("no-open")) open_browser(address);
    server.serve([&file = start.file](const http::Request& request) -> http::Reply {
        const bool is_given = request.path == std::vector<std::string>{"given"};
        if (!is_given || !file || request.is_post) return answer(request);
        return {.type = "application/octet-stream", .body = file->content};
    });
    return ExitStatus::done;
}

}  // namespace pegen::cli
