#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/parameters/position_files.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

std::vector<double> read(const char* name, const std::string& content) {
    const TemporaryFolder folder;
    put(folder.path(name), content);
    const Positions positions = encodings::open_positions(folder.path(name));
    std::vector<double> list;
    for (std::int64_t i = 0; i < positions.size(); ++i) list.push_back(positions[i]);
    return list;
}

std::string failure(const char* name, const std::string& content) {
    try {
        read(name, content);
        return "accepted";
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find(name) + std::string_view(name).size() + 2);
    }
}

}  // namespace

TEST_CASE("positions file: numbers of a text, after a line of names, or of an array") {
    const std::vector<double> positions{1, 15.5, -3, 365};
    CHECK(read("a.csv", "1\n15.5\n-3\n365\n") == positions);
    CHECK(read("a.csv", "day\r\n1,15.5\r\n-3,365") == positions);
    CHECK(read("a.txt", "1 15.5\t-3\n\n365") == positions);
    CHECK(read("a.csv",
               "\xef\xbb\xbf"
               "1\n15.5\n-3\n365\n") == positions);
    CHECK(read("a.csv", " 1,15.5\n-3,365") == positions);
    CHECK(read("a.csv", "position,value\n0,1\n1,15.5\n2,-3\n3,365\n") == positions);
    CHECK(read("a.csv", ",day\n0,1\n1,15.5\n2,-3\n3,365\n") == positions);
    CHECK(read("a.csv", ",0\n0,1\n1,15.5\n2,-3\n3,365\n") == positions);
    CHECK(read("a.npy", npy_of_doubles("(4,)", positions)) == positions);
    CHECK(read("a.npy", npy_of_doubles("(4, 1)", positions)) == positions);
}

TEST_CASE("positions file: what is none is refused, and where it is") {
    CHECK(failure("a.csv", "1\nx\n") == "line 2: 'x' is not a number");
    CHECK(failure("a.csv", "1,x\n") == "line 1: 'x' is not a number");
    CHECK(failure("a.csv", "day\n") == "has no positions");
    CHECK(failure("a.csv", "day,hour\n1,12\n2,12\n") ==
          "shape (2, 2): positions must be (n,) or (n, 1)");
    CHECK(failure("a.txt", "1e16") ==
          "position 0, 1e+16: must be between -2^53 and 2^53, both excluded");
    CHECK(failure("a.txt", "nan").starts_with("position 0, nan: must be"));
    CHECK(failure("a.npy", npy_of_doubles("(2, 2)", {1, 2, 3, 4})) ==
          "shape (2, 2): positions must be (n,) or (n, 1)");
    CHECK(failure("a.npy", npy_of_doubles("(0,)", {})) == "has no positions");
}

TEST_CASE("positions file: its table is that of a list, and --len must agree with it") {
    const TemporaryFolder folder;
    put(folder.path("a.csv"), "0.5\n-2\n1000000\n");
    for (const char* name : {"sinusoid --d 6", "rope --d 6", "periodic", "index"}) {
        const std::string command =
            fmt::format("{} --positions-file {}", name, folder.path("a.csv"));
        CAPTURE(name);
        CHECK(values_of(command) == values_of(fmt::format("{} --positions 0.5,-2,1000000", name)));
        CHECK(values_of(command + " --len 3") == values_of(command));
        CHECK(refusal_of(command + " --len 4") ==
              "--len: --positions-file already says which positions; give one or the other");
    }
}

TEST_CASE("positions file: a long array is not kept, and has the same table") {
    const TemporaryFolder folder;
    constexpr std::int64_t count = (1 << 20) + 3;
    std::vector<double> positions;
    for (std::int64_t i = 0; i < count; ++i) positions.push_back(static_cast<double>(i) * 0.5);
    put(folder.path("a.npy"), npy_of_doubles(fmt::format("({},)", count), positions));
    CHECK(values_of("sinusoid --d 2 --positions-file " + folder.path("a.npy")) ==
          values_of(fmt::format("sinusoid --d 2 --step 0.5 --len {}", count)));
    positions.back() = 1e16;
    put(folder.path("a.npy"), npy_of_doubles(fmt::format("({},)", count), positions));
    CHECK_THROWS_WITH_AS(table_of("sinusoid --d 2 --positions-file " + folder.path("a.npy")),
                         doctest::Contains("position 1048578, 1e+16: must be between"),
                         FormatError);
}
