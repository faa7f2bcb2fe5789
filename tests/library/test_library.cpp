#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "files/temporary_folder.h"
#include "pegen/table.h"
#include "program.h"

using pegen::GeneratedTable;
using pegen::testing::TemporaryFolder;

namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string refusal_of(const pegen::Words& words) {
    try {
        const GeneratedTable table(words);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

std::vector<std::byte> bytes_of(const GeneratedTable& table) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(table.rows() * table.bytes_per_row()));
    table.read_rows(0, table.rows(), bytes);
    return bytes;
}

}  // namespace

TEST_CASE("library: a table is asked for by the words of a command") {
    const GeneratedTable table({"fairseq", "--d", "4", "--len", "3", "--dtype", "float64"});
    CHECK(table.shape() == std::vector<std::int64_t>{3, 4});
    CHECK(table.axes() == std::vector<std::string>{"position", "channel"});
    CHECK(table.dtype() == "float64");
    CHECK(table.rows() == 3);
    CHECK(table.bytes_per_row() == 4 * 8);
    CHECK(table.notes().empty());
    CHECK(table.values(0, 1) == std::vector<double>{0, 0, 1, 1});
    std::vector<double> row(4);
    table.read_rows(0, 1, std::as_writable_bytes(std::span(row)));
    CHECK(row == table.values(0, 1));
}

TEST_CASE("library: a file that is too large for the memory is refused at once") {
    const pegen::Words words{"sinusoid", "--len", "1000000000000"};
    for (const char* format : {"npy", "npz", "safetensors"}) {
        CHECK_THROWS_AS(pegen::file(words, format), std::bad_alloc);
    }
}

TEST_CASE("library: a message is one line, whatever the words") {
    try {
        pegen::file({"sinusoid", "--cmap", "a\nb\x1b"}, "png");
        FAIL("not refused");
    } catch (const std::runtime_error& error) {
        CHECK(std::string(error.what()).starts_with("--cmap a\\x0ab\\x1b: "));
    }
}

TEST_CASE("library: files have the bytes that the program writes") {
    const TemporaryFolder folder;
    const pegen::Words words{"rope", "--d", "16", "--len", "20"};
    for (const std::string format :
         {"npy", "npz", "safetensors", "json", "csv", "text", "png", "svg", "pdf"}) {
        CAPTURE(format);
        const std::string path = folder.path("a." + (format == "text" ? "txt" : format));
        REQUIRE(run_program("rope --d 16 --len 20 --" + format + " " + path).status == 0);
        CHECK(pegen::file(words, format) == content(path));
        const std::string saved = folder.path("b." + (format == "text" ? "txt" : format));
        pegen::save(words, saved);
        CHECK(content(saved) == content(path));
    }
    const std::string path = folder.path("c.png");
    REQUIRE(run_program("sinusoid --d 16 --len 20 --cmap viridis --png " + path).status == 0);
    CHECK(pegen::file({"sinusoid", "--d", "16", "--len", "20", "--cmap", "viridis"}, "png") ==
          content(path));
}

TEST_CASE("library: save writes every file that the words name, or none") {
    const TemporaryFolder folder;
    const std::string a = folder.path("a.npy");
    const std::string b = folder.path("b.npz");
    pegen::save({"rope", "--d", "4", "--table", "cos,sin", "--npz", b}, folder.path("{table}.npy"));
    CHECK(content(folder.path("cos.npy")).size() > content(folder.path("sin.npy")).size() / 2);
    CHECK(std::filesystem::exists(b));
    CHECK_THROWS_AS(pegen::save({"index", "--npz", folder.path("none/b.npz")}, a),
                    std::runtime_error);
    CHECK_FALSE(std::filesystem::exists(a));
    CHECK_THROWS_WITH(pegen::save({"index", "--no-clobber"}, b),
                      doctest::Contains("exists, and --no-clobber was given"));
}

TEST_CASE("library: large tables are read by several threads, with the same bytes") {
    const pegen::Words words{"sinusoid", "--d", "64", "--len", "30000"};
    pegen::Words alone = words;
    alone.insert(alone.end(), {"--threads", "1"});
    const std::vector<std::byte> expected = bytes_of(GeneratedTable(alone));
    const GeneratedTable table(words);
    CHECK(bytes_of(table) == expected);
    std::vector<std::byte> some(5000 * 64 * 4);
    table.read_rows(7777, 5000, some);
    CHECK(std::memcmp(some.data(), expected.data() + 7777 * 64 * 4, some.size()) == 0);
}

TEST_CASE("library: threads may share a table") {
    const GeneratedTable table({"mae", "--d", "32", "--height", "20", "--width", "20"});
    const std::vector<std::byte> expected = bytes_of(table);
    std::atomic<int> equal = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] { equal += bytes_of(table) == expected; });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(equal == 4);
}

TEST_CASE("library: what pe-gen refuses is refused in its words") {
    CHECK(refusal_of({"sinusoid", "--d", "5"}) ==
          "--d 5: must be even with --odd error; use 4, 6 or --odd exact");
    CHECK(refusal_of({}) == "needs the name of an encoding or a preset");
    CHECK(refusal_of({"sinusoid", "--npy", "a.npy"}).find("save()") != std::string::npos);
    CHECK(refusal_of({"sinusoid", "--dry-run"}).find("--dry-run") != std::string::npos);
    CHECK(refusal_of({"sinusoid", "--cmap", "viridis"}).find("has no effect without") !=
          std::string::npos);
    CHECK(refusal_of({"sinusoid", std::string("--d\0 4", 6)}).find("null character") !=
          std::string::npos);
    CHECK_THROWS_WITH(pegen::save({"sinusoid", "--show"}, "a.npy"),
                      "save writes to files, not to standard output");
    const GeneratedTable table({"index", "--len", "4"});
    CHECK_THROWS_AS(table.values(3, 2), std::runtime_error);
    CHECK_THROWS_AS(table.values(-1, 1), std::runtime_error);
    std::vector<std::byte> few(3);
    CHECK_THROWS_AS(table.read_rows(0, 1, few), std::runtime_error);
}
