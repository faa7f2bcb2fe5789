#include <doctest/doctest.h>
#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/progress_line.h"
#include "core/signals.h"
#include "files/temporary_folder.h"
#include "program.h"

using pegen::testing::content;
using pegen::testing::TemporaryFolder;

namespace {

const std::string program = "'" PEGEN_PROGRAM "' ";

/// Returns a shell command that waits until the terminal has shown text that matches `pattern`,
/// then runs `command`: the test waits for events and not for a fixed time, whatever the speed of
/// the machine. After ten seconds or more it runs `command` anyway.
std::string when_shown(const std::string& pattern, const std::string& command) {
    return "{ for i in $(seq 500); do grep -aqs '" + pattern +
           "' seen && break; sleep 0.02; done; " + command + "; }";
}

/// Returns a shell command that runs the program with `arguments` and leaves its process id in
/// "pid".
std::string with_pid(const std::string& arguments) {
    return "sh -c 'echo $$ >pid; exec \"$@\"' sh " + program + arguments;
}

/// A number of bytes that is larger than a pipe holds.
const std::string megabyte = "sinusoid --d 512 --len 512 --npy -";

constexpr std::string_view clear = "\r\x1b[K";

/// Returns the successive contents of the line.
std::vector<std::string> lines_drawn(std::string sent) {
    std::vector<std::string> lines;
    for (std::size_t at; (at = sent.find(clear)) != std::string::npos;) {
        if (at > 0) lines.push_back(sent.substr(0, at));
        sent.erase(0, at + clear.size());
    }
    return lines;
}

/// Returns the text that remains on the screen at the end.
std::string left_over(const std::string& sent) {
    std::string screen;
    std::size_t at = 0;
    while (at < sent.size()) {
        if (sent.compare(at, clear.size(), clear) == 0) {
            screen.erase(screen.rfind('\n') + 1);
            at += clear.size();
        } else {
            screen += sent[at++];
        }
    }
    return screen;
}

}  // namespace

TEST_CASE("progress: a terminal shows it after half a second, and nothing of it stays") {
    const TemporaryFolder folder;
    const TerminalRun run =
        run_on_terminal(program + megabyte + " | " + when_shown(".", "cat >rest"), folder.path(""));
    REQUIRE(!lines_drawn(run.sent).empty());
    CHECK(lines_drawn(run.sent).front().starts_with("sinusoid  "));
    CHECK(run.silence >= 0.5);
    CHECK(left_over(run.sent).empty());
    CHECK(content(folder.path("rest")).size() == 128 + 512 * 512 * 4);
}

TEST_CASE("progress: changes at most ten times a second") {
    const TemporaryFolder folder;
    const TerminalRun run = run_on_terminal(
        program + megabyte + " | " + when_shown("\\(sinusoid.*\\)\\{5\\}", "cat >rest"),
        folder.path(""));
    const auto count = static_cast<double>(lines_drawn(run.sent).size());
    CHECK(count >= 5);
    CHECK(count <= 1 + (run.seconds - 0.5) / 0.1);
}

TEST_CASE("progress: says how much of a table is written") {
    const TemporaryFolder folder;
    // The pipe and its reader take two tiles; the other tiles wait.
    const std::string expected = "sinusoid  10 %  1.0 MB of 10.5 MB";
    const TerminalRun run = run_on_terminal(
        program + "sinusoid --d 512 --len 5120 --npy - | { head -c 1200000 >first; " +
            when_shown(expected, "cat >rest") + "; }",
        folder.path(""));
    CHECK(run.sent.find(expected) != std::string::npos);
}

TEST_CASE("progress: says how fast the work goes on") {
    const TemporaryFolder folder;
    const TerminalRun run = run_on_terminal(
        program + "sinusoid --d 512 --len 5120 --npy - | { head -c 1200000 >first; " +
            when_shown("B/s  .* left", "cat >rest") + "; }",
        folder.path(""));
    CHECK(run.sent.find("B/s  ") != std::string::npos);
}

TEST_CASE("progress: fits the terminal") {
    for (const int columns : {50, 16, 3}) {
        const TemporaryFolder folder;
        const TerminalRun run = run_on_terminal(
            program + megabyte + " | " + when_shown(".", "cat >rest"), folder.path(""), columns);
        CHECK(!run.sent.empty());
        for (const std::string& line : lines_drawn(run.sent)) CHECK(std::ssize(line) < columns);
    }
}

TEST_CASE("progress: a failed run says so on a clean line") {
    const TemporaryFolder folder;
    const TerminalRun run = run_on_terminal(
        "trap '' PIPE; " + program + megabyte + " | " + when_shown(".", ":"), folder.path(""));
    CHECK(!lines_drawn(run.sent).empty());
    CHECK(left_over(run.sent) == "pe-gen: standard output: cannot write: Broken pipe\n");
}

TEST_CASE("progress: a run whose reader goes leaves a clean line") {
    const TemporaryFolder folder;
    const TerminalRun run =
        run_on_terminal(program + megabyte + " | " + when_shown(".", ":"), folder.path(""));
    CHECK(!lines_drawn(run.sent).empty());
    CHECK(left_over(run.sent).empty());
}

TEST_CASE("progress: the passes of --standardize are followed") {
    const TemporaryFolder folder;
    const TerminalRun run =
        run_on_terminal(with_pid("sinusoid --d 64 --len 1000000000 --standardize 1 --npy -") +
                            " | " + when_shown("sinusoid: preparing  [0-9]* %", "kill $(cat pid)"),
                        folder.path(""));
    REQUIRE(!lines_drawn(run.sent).empty());
    CHECK(lines_drawn(run.sent).back().starts_with("sinusoid: preparing  "));
    CHECK(lines_drawn(run.sent).back().find(" %") != std::string::npos);
}

TEST_CASE("progress: a signal that ends the program clears the line") {
    for (const auto& expected :
         {std::pair("INT", "130\n"), std::pair("TERM", "143\n"), std::pair("HUP", "129\n")}) {
        // CAPTURE makes a lambda, which in C++20 may not capture a structured binding with
        // clang 14.
        const char* const signal = expected.first;
        const char* const status = expected.second;
        CAPTURE(signal);
        const TemporaryFolder folder;
        const std::string end =
            fmt::format("kill -s {} $(cat pid); timeout 60 cat >/dev/null", signal);
        const TerminalRun run =
            run_on_terminal("{ " + with_pid("sinusoid --d 512 --len 1000000000 --npy -") +
                                "; echo $? >status; } | " + when_shown(".", end),
                            folder.path(""));
        CHECK(!lines_drawn(run.sent).empty());
        // The shell may print how the program ended.
        CHECK(left_over(run.sent).find("sinusoid") == std::string::npos);
        CHECK(content(folder.path("status")) == status);
    }
}

TEST_CASE("progress: a search that is ended says what it tried") {
    const TemporaryFolder folder;
    run_in_process({"learned", "--d", "64", "--len", "65536", "--seed", "4000000007", "--npy",
                    folder.path("noise.npy")});
    const TerminalRun run =
        run_on_terminal(with_pid("identify noise.npy") + " | " +
                            when_shown("identify", "kill $(cat pid); timeout 60 cat >/dev/null"),
                        folder.path(""));
    const std::string left = left_over(run.sent);
    CAPTURE(left);
    CHECK(left.starts_with("pe-gen: ended before an answer, while it tried "));
}

TEST_CASE("progress: nothing is drawn after a signal has cleared the line") {
    int screen = -1, terminal = -1;
    REQUIRE(::openpty(&screen, &terminal, nullptr, nullptr, nullptr) == 0);
    const int standard_error = ::dup(STDERR_FILENO);
    ::dup2(terminal, STDERR_FILENO);
    ::setenv("TERM", "xterm", 1);
    std::string sent;
    {
        pegen::cli::ProgressLine line(pegen::cli::Verbosity::normal);
        line.begin("work");
        const auto read_for = [&](int milliseconds) {
            pollfd readable{screen, POLLIN, 0};
            char some[4096];
            if (::poll(&readable, 1, milliseconds) <= 0) return;
            const ssize_t count = ::read(screen, some, sizeof some);
            sent.append(some, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        };
        for (int i = 0; i < 100 && sent.empty(); ++i) read_for(100);
        pegen::act_as_before_signals();
        // An active progress line would be drawn again ten times a second.
        for (int i = 0; i < 5; ++i) read_for(100);
    }
    ::dup2(standard_error, STDERR_FILENO);
    for (const int descriptor : {standard_error, screen, terminal}) ::close(descriptor);
    CHECK(lines_drawn(sent).size() == 1);
    CHECK(left_over(sent).empty());
}

TEST_CASE("progress: a table that is printed on the terminal is not disturbed by it") {
    const TemporaryFolder folder;
    // The other output takes long enough for a line to be shown.
    const TerminalRun run = run_on_terminal(
        "mkfifo pipe; { sleep 0.9; cat >rest; } <pipe & " + program +
            "sinusoid --d 512 --len 512 --npy pipe --text /dev/stdout >\"$terminal\"; wait",
        folder.path(""));
    CHECK(run.status == 0);
    CHECK(run.sent.starts_with("[[ "));
    CHECK(run.sent.find('\r') == std::string::npos);
}

TEST_CASE("progress: --quiet turns it off") {
    const TemporaryFolder folder;
    const TerminalRun run = run_on_terminal(
        program + megabyte + " --quiet | { sleep 0.9; cat >rest; }", folder.path(""));
    CHECK(run.status == 0);
    CHECK(run.sent.empty());
}

TEST_CASE("progress: is not shown in pipes and files") {
    const TemporaryFolder folder;
    const ProgramRun run = run_program(megabyte + " | { sleep 0.9; cat >rest; }", folder.path(""));
    CHECK(run.status == 0);
    CHECK(run.errors.empty());
}

TEST_CASE("progress: is not shown on terminals that cannot clear a line") {
    const TemporaryFolder folder;
    const TerminalRun run =
        run_on_terminal("export TERM=dumb; " + program + megabyte + " | { sleep 0.9; cat >rest; }",
                        folder.path(""));
    CHECK(run.sent.empty());
}

TEST_CASE("progress: a job in the background does not show it") {
    const TemporaryFolder folder;
    const TerminalRun run = run_on_terminal(
        "setsid -w -c sh -m -c '{ \"$@\" | { sleep 0.9; cat "
        ">rest; } } & wait' sh " +
            program + megabyte + " <\"$terminal\"",
        folder.path(""));
    CHECK(run.sent.empty());
    CHECK(content(folder.path("rest")).size() > 1'000'000);
}
