#include <doctest/doctest.h>
#include <sys/stat.h>

#include <thread>

#include "core/error.h"
#include "files/input_file.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;

TEST_CASE("whole file: all bytes are read and none beyond the limit") {
    const TemporaryFolder folder;
    const std::string bytes("a\0b\n", 4);
    put(folder.path("a"), bytes);
    CHECK(read_whole(folder.path("a"), 4) == bytes);
    CHECK_THROWS_WITH_AS(read_whole(folder.path("a"), 3),
                         (folder.path("a") + ": has more than 3 bytes").c_str(), FormatError);
    CHECK_THROWS_AS(read_whole(folder.path("none"), 4), FileError);
}

TEST_CASE("whole file: a FIFO is read to its end") {
    const TemporaryFolder folder;
    const std::string bytes(1'000'000, 'x');
    REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0600) == 0);
    std::thread writer([&] { put(folder.path("fifo"), bytes); });
    CHECK(read_whole(folder.path("fifo"), 1'000'000) == bytes);
    writer.join();
}
