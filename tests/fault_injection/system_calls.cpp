#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "kinds.h"
#include "strike.h"

namespace {

using Counts = std::map<std::string, int>;

/// The system calls whose failure makes the C library hang or keeps the process from ending.
constexpr std::array<std::string_view, 6> spared{"futex",  "exit",         "exit_group",
                                                 "execve", "rt_sigreturn", "restart_syscall"};

std::vector<std::string> strace(const std::vector<std::string>& options) {
    std::vector<std::string> command{"strace", "-f", "-qq"};
    command.insert(command.end(), options.begin(), options.end());
    return command;
}

/// Returns the name of the call in a line of strace's output, "openat" in "123 openat(AT_FDCWD,
/// ..."; "" if there is none.
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

bool is_any(std::string_view) { return true; }

bool returns_count(std::string_view call) {
    return call.find("read") != call.npos || call.find("write") != call.npos;
}

bool writes(std::string_view call) { return call.find("write") != call.npos; }

/// An answer that strace gives to a system call in place of the kernel.
struct Answer {
    const char* words;
    const char* injected;
    bool (*fits)(std::string_view call);
    bool goes_on;  ///< all calls that follow get the same answer
};

constexpr std::array<Answer, 6> answers{
    {{"fails with EIO", "error=EIO", is_any, false},
     {"fails with EINTR", "error=EINTR", is_any, false},
     {"fails with ENOMEM", "error=ENOMEM", is_any, false},
     {"fails with ENOSPC", "error=ENOSPC", is_any, false},
     {"returns 0 instead of a count", "retval=0", returns_count, false},
     {"writes nothing from then on", "retval=0", writes, true}}};

void answer_each(const Session& session, Tally& tally, const Trial& trial, const std::string& call,
                 int count, const Answer& answer) {
    for (int nth = 1; nth <= count; ++nth) {
        const std::string fault = fmt::format("inject={}:{}:when={}{}", call, answer.injected, nth,
                                              answer.goes_on ? "+" : "");
        Run run = session.stage.play(
            trial.scene,
            {.wrapper = strace({"-o", "/dev/null", "-e", "trace=" + call, "-e", fault}),
             .seconds = 20});
        if (call.starts_with("unlink")) forgive_strays(run);
        judge(tally, trial, run, Words::none, fault);
        if (answer.goes_on && run.status != 0 && run.status != 4) {
            tally.violate(fmt::format("{}: status {}", fault, run.status));
        }
    }
}

}  // namespace

/// Gives a wrong answer to each system call, from the loader's first one to the last one of the
/// process. A trace lists the calls.
void answer_system_calls(Session& session) {
    if (!session.is_whole) return;
    if (std::system("strace -f -o /dev/null true 2>/dev/null") != 0) {
        return session.skip("every system call", "strace");
    }
    const std::vector<Trial> trials{session.trial("three files"), session.trial("one old file"),
                                    session.trial("two archives"), comparison(session)};
    std::vector<Counts> counts;
    for (const Trial& trial : trials) counts.push_back(counted_calls(session, trial));
    for (const Answer& answer : answers) {
        Tally tally;
        for (std::size_t i = 0; i < trials.size(); ++i) {
            for (const auto& [call, count] : counts[i]) {
                if (answer.fits(call)) answer_each(session, tally, trials[i], call, count, answer);
            }
        }
        session.report(fmt::format("each system call of the process {}", answer.words), tally);
    }
}
