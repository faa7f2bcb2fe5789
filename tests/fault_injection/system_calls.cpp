#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "kinds.h"

namespace {

using Counts = std::map<std::string, int>;

/// If these fail, the C library hangs or the process cannot end.
constexpr std::array<std::string_view, 6> spared{"futex",  "exit",         "exit_group",
                                                 "execve", "rt_sigreturn", "restart_syscall"};

std::vector<std::string> strace(const std::vector<std::string>& options) {
    std::vector<std::string> command{"strace", "-f", "-qq"};
    command.insert(command.end(), options.begin(), options.end());
    return command;
}

/// The name of the call in a line of strace's, "openat" in "123 openat(AT_FDCWD, ..."; "" if there
/// is none.
std::string call_in(const std::string& line) {
    const std::size_t end = line.find('(');
    if (end == std::string::npos) return "";
    const std::size_t begin = line.rfind(' ', end) + 1;
    const std::string name = line.substr(begin, end - begin);
    constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    return name.find_first_not_of(letters) == std::string::npos ? name : "";
}

/// Counts the system calls that a run makes.
Counts counted_calls(const Session& session, const Trial& trial) {
    const std::string log = session.stage.aside("strace");
    session.stage.play(trial.scene, {.wrapper = strace({"-o", log})});
    Counts counts;
    std::istringstream lines(content(log));
    for (std::string line; std::getline(lines, line);) ++counts[call_in(line)];
    counts.erase("");
    std::erase_if(counts, [](const auto& entry) {
        return std::ranges::find(spared, entry.first) != spared.end();
    });
    return counts;
}

void fail_each(const Session& session, Tally& tally, const Trial& trial, const std::string& call,
               int count, int error) {
    for (int nth = 1; nth <= count; ++nth) {
        const std::string fault = fmt::format("inject={}:error={}:when={}", call, error, nth);
        Run run = session.stage.play(
            trial.scene,
            {.wrapper = strace({"-o", "/dev/null", "-e", "trace=" + call, "-e", fault})});
        if (call.starts_with("unlink")) forgive_strays(run);
        judge(tally, trial, run, Words::none, fault);
    }
}

}  // namespace

/// Lets each system call fail, from the first one of the loader to the last one of the process.
void fail_system_calls(Session& session) {
    if (!session.is_whole) return;
    if (std::system("strace -f -o /dev/null true 2>/dev/null") != 0) {
        return session.skip("every system call", "strace");
    }
    for (const int error : {EIO, EINTR, ENOMEM}) {
        Tally tally;
        for (const char* scene : {"three files", "one old file"}) {
            const Trial& trial = session.trial(scene);
            for (const auto& [call, count] : counted_calls(session, trial)) {
                fail_each(session, tally, trial, call, count, error);
            }
        }
        session.report(
            fmt::format("each system call of the process fails with {}", ::strerrorname_np(error)),
            tally);
    }
}
