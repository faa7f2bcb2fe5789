#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/target.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;
namespace fs = std::filesystem;

TEST_CASE("target: the folder of a path") {
    CHECK(folder_of("out/a.npy") == "out");
    CHECK(folder_of("a.npy") == ".");
    CHECK(folder_of("/a.npy") == "/");
}

TEST_CASE("target: standard output and devices are distinguished from files") {
    CHECK(find_target("-").descriptor == STDOUT_FILENO);
    CHECK(find_target("/dev/null").is_special);
    const TemporaryFolder folder;
    CHECK_FALSE(find_target(folder.path("-")).is_written_directly());
}

TEST_CASE("target: every name of a descriptor is the descriptor") {
    const TemporaryFolder folder;
    fs::create_symlink("/dev/fd", folder.path("open"));
    fs::create_symlink("open/1", folder.path("link"));
    for (const std::string& name :
         {std::string("/dev/stdout"), std::string("/dev/fd/1"), std::string("/proc/self/fd/1"),
          std::string("/proc/thread-self/fd/1"), fmt::format("/proc/{}/fd/1", ::getpid()),
          folder.path("open/1"), folder.path("link")}) {
        CAPTURE(name);
        CHECK(find_target(name).descriptor == STDOUT_FILENO);
        CHECK(same_file(name, "-"));
    }
    CHECK(find_target("/dev/stderr").descriptor == STDERR_FILENO);
}

TEST_CASE("target: a file that another process has open is written directly") {
    const pid_t other = ::fork();
    if (other == 0) {
        ::pause();
        ::_exit(0);
    }
    const Target target = find_target(fmt::format("/proc/{}/fd/1", other));
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
    CHECK(target.is_special);
    CHECK(target.descriptor < 0);
}

TEST_CASE("target: links lead to the path and the state of what they name") {
    const TemporaryFolder folder;
    fs::create_directory(folder.path("there"));
    put(folder.path("there/a"), "old");
    fs::permissions(folder.path("there/a"), fs::perms(0640));
    fs::create_symlink("there/a", folder.path("link"));
    const Target existing = find_target(folder.path("link"));
    CHECK(existing.path == folder.path("there/a"));
    REQUIRE(existing.old);
    CHECK(existing.old->mode == 0640);

    fs::create_symlink("there/b", folder.path("dangling"));
    const Target missing = find_target(folder.path("dangling"));
    CHECK(missing.path == folder.path("there/b"));
    CHECK_FALSE(missing.old);
}
