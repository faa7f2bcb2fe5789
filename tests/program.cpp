#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "cli/run.h"
#include "files/temporary_folder.h"
#include "formats/command.h"

using pegen::shell_word;
using pegen::testing::content;
using pegen::testing::TemporaryFolder;

namespace {

int exit_status(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Redirects standard output to a file in memory as long as the object exists.
class CapturedOutput {
  public:
    CapturedOutput() : standard_output_(::dup(STDOUT_FILENO)), file_(::memfd_create("output", 0)) {
        std::fflush(stdout);
        ::dup2(file_, STDOUT_FILENO);
    }
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;
    ~CapturedOutput() {
        ::dup2(standard_output_, STDOUT_FILENO);
        ::close(standard_output_);
        ::close(file_);
    }

    std::string text() const { return content("/proc/self/fd/" + std::to_string(file_)); }

  private:
    int standard_output_;
    int file_;
};

/// A pseudo-terminal: bytes written to `path` can be read from `screen`.
struct Terminal {
    int screen;
    int keyboard;  ///< kept open, since a terminal without users hangs up
    std::string path;
};

Terminal open_terminal(int columns) {
    const int screen = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (screen < 0 || ::grantpt(screen) < 0 || ::unlockpt(screen) < 0) {
        throw std::runtime_error("no terminal");
    }
    const std::string path = ::ptsname(screen);
    const int keyboard = ::open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    const winsize size{24, static_cast<unsigned short>(columns), 0, 0};
    ::ioctl(screen, TIOCSWINSZ, &size);
    termios mode{};
    ::tcgetattr(keyboard, &mode);
    ::cfmakeraw(&mode);  // bytes arrive as they are sent
    ::tcsetattr(keyboard, TCSANOW, &mode);
    return {screen, keyboard, path};
}

bool ignores(int signal) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_IGN;
}

/// Restores the actions of signals at its end. A run whose files are in place ignores the signals
/// that end programs; later tests, and the programs they run, would ignore them too.
class RestoredSignals {
  public:
    RestoredSignals() {
        for (int i = 1; i < NSIG; ++i) sigaction(i, nullptr, &actions_[i]);
    }
    RestoredSignals(const RestoredSignals&) = delete;
    RestoredSignals& operator=(const RestoredSignals&) = delete;
    ~RestoredSignals() {
        for (int i = 1; i < NSIG; ++i) sigaction(i, &actions_[i], nullptr);
    }

  private:
    struct sigaction actions_[NSIG] {};
};

}  // namespace

ProgramRun run_program(const std::string& arguments, const std::string& folder) {
    const TemporaryFolder captured;
    const std::string output = captured.path("output"), errors = captured.path("errors");
    const std::string command = "cd " + shell_word(folder) + " && { '" PEGEN_PROGRAM "' " +
                                arguments + "; } >" + shell_word(output) + " 2>" +
                                shell_word(errors);
    const int status = std::system(command.c_str());
    return {content(output), content(errors), exit_status(status)};
}

ProgramRun run_shell(const std::string& script, const std::string& folder) {
    const TemporaryFolder captured;
    const std::string output = captured.path("output");
    const std::string command =
        "cd " + shell_word(folder) + " && { " + script + "\n} >" + shell_word(output) + " 2>&1";
    const int status = std::system(command.c_str());
    return {content(output), "", exit_status(status)};
}

ProgramRun run_in_process(const std::vector<std::string>& arguments) {
    const CapturedOutput output;
    const RestoredSignals signals;
    try {
        const std::vector<std::string_view> words(arguments.begin(), arguments.end());
        const auto status = static_cast<int>(pegen::cli::run(words));
        return {output.text(), "", status, ignores(SIGTERM)};
    } catch (...) {
        const pegen::cli::Failure failure = pegen::cli::current_failure();
        return {output.text(), failure.message, static_cast<int>(failure.status), ignores(SIGTERM)};
    }
}

TerminalRun run_on_terminal(const std::string& script, const std::string& folder, int columns) {
    using Clock = std::chrono::steady_clock;
    const Terminal terminal = open_terminal(columns);
    const auto start = Clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    TerminalRun run{};
    std::thread reader([&] {
        std::ofstream seen(folder + "/seen", std::ios::binary);
        char some[4096];
        for (ssize_t count; (count = ::read(terminal.screen, some, sizeof some)) > 0;) {
            if (run.sent.empty()) run.silence = seconds();
            run.sent.append(some, static_cast<std::size_t>(count));
            seen.write(some, count).flush();
        }
    });
    const std::string command = "cd " + shell_word(folder) + " && export TERM=xterm terminal='" +
                                terminal.path + "' && { " + script + "; } 2>\"$terminal\"";
    run.status = exit_status(std::system(command.c_str()));
    run.seconds = seconds();
    ::close(terminal.keyboard);
    reader.join();
    ::close(terminal.screen);
    return run;
}
