#include <doctest/doctest.h>

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
    CHECK(find_target("-").is_standard_output);
    CHECK(find_target("/dev/stdout").is_standard_output);
    CHECK(find_target("/dev/null").is_special);
    const TemporaryFolder folder;
    const Target target = find_target(folder.path("-"));
    CHECK_FALSE(target.is_standard_output);
    CHECK_FALSE(target.is_special);
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
