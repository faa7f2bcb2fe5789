#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "files/temporary_folder.h"
#include "pegen/pegen.h"
#include "program.h"

using pegen::GeneratedTable;
using pegen::testing::TemporaryFolder;

namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string refusal_of(const GeneratedTable::Words& words) {
    try {
        const GeneratedTable table(words);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("library: a table is asked for by the words of a command") {
    const GeneratedTable table({"fairseq", "--d", "4", "--len", "3", "--dtype", "float64"});
    CHECK(table.shape() == std::vector<std::int64_t>{3, 4});
    CHECK(table.axes() == std::vector<std::string>{"position", "channel"});
    CHECK(table.dtype() == "float64");
    CHECK(table.rows() == 3);
    CHECK(table.bytes_per_row() == 4 * 8);
    CHECK(table.values(0, 1) == std::vector<double>{0, 0, 1, 1});
    std::vector<double> row(4);
    table.read_rows(0, 1, std::as_writable_bytes(std::span(row)));
    CHECK(row == table.values(0, 1));
}

TEST_CASE("library: files have the bytes that the program writes") {
    const TemporaryFolder folder;
    const GeneratedTable table({"sinusoid", "--d", "16", "--len", "20"});
    for (const std::string format : {"npy", "json", "csv", "text", "png", "svg"}) {
        CAPTURE(format);
        const std::string path = folder.path("a." + (format == "text" ? "txt" : format));
        REQUIRE(run_program("sinusoid --d 16 --len 20 --" + format + " " + path).status == 0);
        CHECK(table.file(format) == content(path));
        const std::string saved = folder.path("b." + (format == "text" ? "txt" : format));
        table.save(saved);
        CHECK(content(saved) == content(path));
    }
    const std::string path = folder.path("c.png");
    REQUIRE(run_program("sinusoid --d 16 --len 20 --cmap viridis --png " + path).status == 0);
    CHECK(table.file("png", {"--cmap", "viridis"}) == content(path));
}

TEST_CASE("library: what pe-gen refuses is refused in its words") {
    CHECK(refusal_of({"sinusoid", "--d", "5"}) ==
          "--d 5: must be even with --odd error; use 4, 6 or --odd exact");
    CHECK(refusal_of({}) == "needs the name of an encoding or a preset");
    CHECK(refusal_of({"sinusoid", "--npy", "a.npy"}).find("save()") != std::string::npos);
    const GeneratedTable table({"index", "--len", "4"});
    CHECK_THROWS_AS(table.values(3, 2), std::runtime_error);
    CHECK_THROWS_AS(table.values(-1, 1), std::runtime_error);
    std::vector<std::byte> few(3);
    CHECK_THROWS_AS(table.read_rows(0, 1, few), std::runtime_error);
}
