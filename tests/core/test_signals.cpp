#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "core/signals.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

void make_file(const void* path) { put(static_cast<const char*>(path), "made"); }

/// Runs `body` in a process of its own that watches signals. Returns the signal that ended it, or
/// 0 if it came to the end of `body`.
int signal_that_ends(const std::function<void()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGTERM, SIG_DFL);
        ::signal(SIGUSR1, SIG_IGN);
        watch_signals();
        body();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
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

TEST_CASE("signals: ignored ones end nothing") {
    CHECK(signal_that_ends([] {
              ::raise(SIGUSR1);  // ignored before they were watched
              const PostponedSignals section;
              ::raise(SIGTERM);
              ignore_signals();
          }) == 0);
}
