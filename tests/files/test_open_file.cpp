#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/error.h"
#include "files/input_file.h"
#include "files/open_file.h"
#include "files/output_file.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;
namespace fs = std::filesystem;

namespace {

/// A folder "inside", which is the current one as long as this lives, and a folder "outside".
struct Inside {
    TemporaryFolder top;
    fs::path before = fs::current_path();

    Inside() {
        fs::create_directories(top.path("inside/sub"));
        fs::create_directory(top.path("outside"));
        put(top.path("inside/sub/a"), "inside");
        put(top.path("outside/a"), "outside");
        fs::current_path(top.path("inside"));
    }
    ~Inside() { fs::current_path(before); }
};

int error_of(const std::string& path) {
    errno = 0;
    return open_file(path, O_RDONLY).is_open() ? 0 : errno;
}

}  // namespace

TEST_CASE("open file: beneath the current folder a path may only lead downwards") {
    const Inside inside;
    fs::create_symlink("../outside", "link");
    fs::create_symlink("../outside/a", "file link");
    fs::create_symlink("sub", "link within");
    CHECK(error_of("link/a") == 0);
    const BeneathCurrentFolder beneath;
    for (const char* path : {"sub/a", "./sub/a", "sub//a", "sub/./a", "sub", "sub/", "."}) {
        CAPTURE(path);
        CHECK(error_of(path) == 0);
    }
    CHECK(error_of("../outside/a") == EXDEV);
    CHECK(error_of("sub/../sub/a") == EXDEV);
    CHECK(error_of(fs::absolute("sub/a").string()) == EXDEV);
    CHECK(error_of("file link") == ELOOP);
    for (const char* path : {"link/a", "link within/a"}) {
        const int error = error_of(path);
        CHECK((error == ELOOP || error == ENOTDIR));
    }
    CHECK(error_of("none/a") == ENOENT);
}

TEST_CASE("open file: the folder is that where it began even if it is moved") {
    const Inside inside;
    const BeneathCurrentFolder beneath;
    fs::rename(inside.top.path("inside"), inside.top.path("moved"));
    fs::create_symlink(inside.top.path("outside"), inside.top.path("inside"));
    CHECK(error_of("sub/a") == 0);
    CHECK(error_of("a") == ENOENT);
}

TEST_CASE("open file: outputs and inputs beneath a folder are never outside") {
    const Inside inside;
    const BeneathCurrentFolder beneath;
    OutputFile file("sub/a");
    file.write("new");
    file.finish();
    // The folder makes room for a link after it was opened.
    fs::rename("sub", "there");
    fs::create_symlink("../outside", "sub");
    OutputFile* const files[]{&file};
    commit(files);
    CHECK(content(inside.top.path("outside/a")) == "outside");
    CHECK(content(inside.top.path("inside/there/a")) == "new");
    CHECK_THROWS_AS(OutputFile("sub/b"), FileError);
    CHECK_THROWS_AS(InputFile("sub/a"), FileError);
}

TEST_CASE("input file: a file that becomes shorter while it is read is an error") {
    const TemporaryFolder folder;
    put(folder.path("a"), "0123456789");
    const InputFile file(folder.path("a"));
    fs::resize_file(folder.path("a"), 4);
    std::array<std::byte, 8> out;
    errno = EINTR;  // of an earlier call
    CHECK_THROWS_WITH_AS(
        file.read(0, out),
        (folder.path("a") + ": cannot read: it became shorter while it was read").c_str(),
        FileError);
}

TEST_CASE("part of a file: nothing of what follows it in the file is read") {
    const auto whole = InputFile::in_memory("whole", "0123456789");
    const auto part = InputFile::part(whole, "part", 2, 3);
    std::array<std::byte, 3> bytes{};
    part->read(0, bytes);
    CHECK(bytes == std::array{std::byte{'2'}, std::byte{'3'}, std::byte{'4'}});
    part->read(3, {});
    CHECK_THROWS_WITH_AS(part->read(1, bytes), "part: cannot read: it ends too early", FileError);
    CHECK_THROWS_AS(part->read(-1, bytes), FileError);
}
