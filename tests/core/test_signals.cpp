#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/signals.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

void make_file(const void* path) { put(static_cast<const char*>(path), "made"); }

/// Runs `body` in a process of its own. Returns the signal that ended it, or 0 if it came to the
/// end of `body` or was stopped.
int signal_that_ends_process(const std::function<void()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        constexpr rlimit no_core_files{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core_files);
        for (int signal = 1; signal <= SIGRTMAX; ++signal) ::signal(signal, SIG_DFL);
        body();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, WUNTRACED) == child);
    if (WIFSTOPPED(status)) ::kill(child, SIGKILL);
    if (WIFSTOPPED(status)) ::waitpid(child, nullptr, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// Like signal_that_ends_process(), for a process that watches signals, except SIGUSR1, which it
/// ignores.
int signal_that_ends(const std::function<void()>& body) {
    return signal_that_ends_process([&] {
        ::signal(SIGUSR1, SIG_IGN);
        watch_signals();
        body();
    });
}

/// Sends a signal to this process from another one.
void send_from_outside(int signal) {
    const pid_t receiver = ::getpid();
    const pid_t sender = ::fork();
    if (sender == 0) ::_exit(::kill(receiver, signal));
    ::waitpid(sender, nullptr, 0);
}

/// Returns all signals that end a program which does not handle them, and that it may catch.
std::vector<int> catchable_ending_signals() {
    std::vector<int> signals;
    for (int signal = 1; signal <= SIGRTMAX; ++signal) {
        struct sigaction action {};
        const bool may_be_caught = signal != SIGKILL && ::sigaction(signal, nullptr, &action) == 0;
        if (may_be_caught && signal_that_ends_process([&] { ::raise(signal); }) == signal) {
            signals.push_back(signal);
        }
    }
    return signals;
}

}  // namespace

TEST_CASE("signals: the acts of objects that live are called before a signal ends the program") {
    const TemporaryFolder folder;
    const std::string lives = folder.path("lives"), is_gone = folder.path("is gone");
    CHECK(signal_that_ends([&] {
              const BeforeSignal act(make_file, lives.c_str());
              { const BeforeSignal other(make_file, is_gone.c_str()); }
              ::raise(SIGTERM);
          }) == SIGTERM);
    CHECK(folder.names() == std::set<std::string>{"lives"});
}

TEST_CASE("signals: a signal waits for the end of all sections") {
    const TemporaryFolder folder;
    const std::string whole = folder.path("whole"), beyond = folder.path("beyond");
    CHECK(signal_that_ends([&] {
              {
                  const PostponedSignals outer;
                  ::raise(SIGTERM);
                  { const PostponedSignals inner; }
                  make_file(whole.c_str());
              }
              make_file(beyond.c_str());
          }) == SIGTERM);
    CHECK(folder.names() == std::set<std::string>{"whole"});
}

TEST_CASE("signals: a section gives way to a signal that waits") {
    const TemporaryFolder folder;
    const std::string too_early = folder.path("too early"), waiting = folder.path("waiting");
    CHECK(signal_that_ends([&] {
              const PostponedSignals section;
              section.give_way();
              ::raise(SIGTERM);
              try {
                  section.give_way();
                  make_file(too_early.c_str());
              } catch (const PostponedSignals::Waiting&) {
                  make_file(waiting.c_str());
              }
          }) == SIGTERM);
    CHECK(folder.names() == std::set<std::string>{"waiting"});
}

TEST_CASE("signals: each one of the system that ends programs waits, then ends this one") {
    const std::vector<int> signals = catchable_ending_signals();
    CHECK(signals.size() >= 20);
    for (const int signal : signals) {
        if (signal == SIGUSR1) continue;
        CAPTURE(signal);
        const TemporaryFolder folder;
        const std::string whole = folder.path("whole"), beyond = folder.path("beyond"),
                          before = folder.path("before");
        CHECK(signal_that_ends([&] {
                  const BeforeSignal act(make_file, before.c_str());
                  {
                      const PostponedSignals section;
                      send_from_outside(signal);
                      make_file(whole.c_str());
                  }
                  make_file(beyond.c_str());
              }) == signal);
        CHECK(folder.names() == std::set<std::string>{"before", "whole"});
    }
}

TEST_CASE("signals: each one has no effect during the last step and after it") {
    for (const int signal : catchable_ending_signals()) {
        CAPTURE(signal);
        CHECK(signal_that_ends([&] {
                  end_with([&] { send_from_outside(signal); });
                  send_from_outside(signal);
              }) == 0);
    }
}

TEST_CASE("signals: a last step that fails leaves a signal its effect") {
    const TemporaryFolder folder;
    const std::string beyond = folder.path("beyond");
    CHECK(signal_that_ends([&] {
              try {
                  end_with([] {
                      ::raise(SIGTERM);
                      throw std::runtime_error("failed");
                  });
              } catch (const std::runtime_error&) {
                  make_file(beyond.c_str());
              }
          }) == SIGTERM);
    CHECK(folder.names().empty());
}

TEST_CASE("signals: a fault of the program itself waits for nothing") {
    for (void (*const fail)() : {+[] { std::abort(); }, +[] { __builtin_trap(); }}) {
        const TemporaryFolder folder;
        const std::string before = folder.path("before");
        CHECK(signal_that_ends([&] {
                  const BeforeSignal act(make_file, before.c_str());
                  const PostponedSignals section;
                  fail();
              }) != 0);
        CHECK(folder.names().empty());
    }
}

TEST_CASE("signals: one that was ignored before they were watched ends nothing") {
    CHECK(signal_that_ends([] { send_from_outside(SIGUSR1); }) == 0);
}
