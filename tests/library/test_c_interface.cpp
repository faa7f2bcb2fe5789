#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cfenv>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "files/temporary_folder.h"
#include "pegen.h"
#include "pegen/table.h"

namespace {

constexpr std::array words{"fairseq", "--d", "4", "--len", "3"};

/// A table of the C interface, freed at the end.
struct Opened {
    pegen_table* table = nullptr;
    int status;

    template <std::size_t count>
    explicit Opened(const std::array<const char*, count>& of)
        : status(pegen_open(of.data(), of.size(), &table)) {}
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    ~Opened() { pegen_close(table); }
};

}  // namespace

TEST_CASE("C interface: a table says what it is, and gives its rows") {
    const Opened opened(words);
    REQUIRE(opened.status == PEGEN_DONE);
    const pegen_table* const table = opened.table;
    CHECK(std::string(pegen_dtype(table)) == "float32");
    REQUIRE(pegen_rank(table) == 2);
    CHECK(pegen_shape(table)[0] == 3);
    CHECK(pegen_shape(table)[1] == 4);
    CHECK(std::string(pegen_axis(table, 0)) == "position");
    CHECK(std::string(pegen_axis(table, 1)) == "channel");
    CHECK(pegen_axis(table, 2) == nullptr);
    CHECK(pegen_rows(table) == 3);
    CHECK(pegen_row_bytes(table) == 16);
    CHECK(std::string(pegen_notes(table)).empty());
    std::array<float, 4> row{};
    CHECK(pegen_read_rows(table, 0, 1, row.data(), sizeof row) == PEGEN_DONE);
    CHECK(row == std::array<float, 4>{0, 0, 1, 1});
}

TEST_CASE("C interface: a file has the bytes that C++ gets") {
    void* file = nullptr;
    std::size_t bytes = 0;
    REQUIRE(pegen_file(words.data(), words.size(), "npy", &file, &bytes) == PEGEN_DONE);
    CHECK(std::string(static_cast<const char*>(file), bytes) ==
          pegen::file({words.begin(), words.end()}, "npy"));
    pegen_free(file);
    pegen_free(nullptr);

    const pegen::testing::TemporaryFolder folder;
    CHECK(pegen_save(words.data(), words.size(), folder.path("a.npy").c_str()) == PEGEN_DONE);
    CHECK(pegen_save(words.data(), words.size(), folder.path("a.exe").c_str()) == PEGEN_USAGE);
    CHECK(pegen_save(words.data(), words.size(), folder.path("none/a.npy").c_str()) == PEGEN_FILE);
}

TEST_CASE("C interface: a failure has a status and a message, and leaves its arguments alone") {
    int place = 0;
    const auto before = reinterpret_cast<pegen_table*>(&place);
    pegen_table* table = before;
    const auto fails = [&](std::vector<const char*> of, int status, const std::string& message) {
        CAPTURE(message);
        CHECK(pegen_open(of.data(), of.size(), &table) == status);
        CHECK(std::string(pegen_message()).find(message) != std::string::npos);
        CHECK(table == before);
    };
    fails({"fairsec"}, PEGEN_USAGE, "did you mean 'fairseq'?");
    fails({"sinusoid", nullptr}, PEGEN_USAGE, "is a null pointer");
    fails({}, PEGEN_USAGE, "needs the name");
    fails({"sinusoid", "--npy", "a.npy"}, PEGEN_USAGE, "writes and shows nothing");
    fails({"plot", "/nowhere/at/all.npy"}, PEGEN_FILE, "/nowhere/at/all.npy");
    fails({"plot", PEGEN_SOURCE_DIR "/tests/malformed/bytes-dtype.npy"}, PEGEN_MALFORMED,
          "bytes-dtype.npy");
    CHECK(pegen_open(words.data(), words.size(), nullptr) == PEGEN_USAGE);
    CHECK(pegen_open(nullptr, 1, &table) == PEGEN_USAGE);
    CHECK(pegen_read_rows(nullptr, 0, 1, nullptr, 0) == PEGEN_USAGE);
}

TEST_CASE("C interface: rows that are not there, and buffers that do not fit, are refused") {
    const Opened opened(words);
    std::array<float, 12> out{};
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto status = [&](std::int64_t first, std::int64_t count, std::size_t bytes) {
        return pegen_read_rows(opened.table, first, count, out.data(), bytes);
    };
    CHECK(status(0, 3, 48) == PEGEN_DONE);
    CHECK(status(3, 0, 0) == PEGEN_DONE);
    CHECK(status(0, 3, 47) == PEGEN_USAGE);
    CHECK(status(1, 3, 48) == PEGEN_USAGE);
    CHECK(status(-1, 1, 16) == PEGEN_USAGE);
    CHECK(status(most, most, 16) == PEGEN_USAGE);
    CHECK(status(0, -1, 0) == PEGEN_USAGE);
    CHECK(pegen_read_rows(opened.table, 0, 1, nullptr, 16) == PEGEN_USAGE);
}

TEST_CASE("C interface: the caller's rounding changes nothing, and stays") {
    constexpr std::array drawn{"learned", "--d", "64", "--len", "64", "--seed", "1"};
    const auto rows = [&] {
        const Opened opened(drawn);
        std::vector<float> values(64 * 64);
        pegen_read_rows(opened.table, 0, 64, values.data(), values.size() * 4);
        return values;
    };
    const std::vector<float> expected = rows();
    std::fesetround(FE_UPWARD);
    const std::vector<float> again = rows();
    const int mode = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(mode == FE_UPWARD);
    CHECK(again == expected);
}

TEST_CASE("C interface: a format is one of the names, not an option") {
    void* file = nullptr;
    std::size_t bytes = 0;
    CHECK(pegen_file(words.data(), words.size(), "d", &file, &bytes) == PEGEN_USAGE);
    CHECK(pegen_file(words.data(), words.size(), "pgn", &file, &bytes) == PEGEN_USAGE);
    CHECK(std::string(pegen_message()).find("did you mean 'png'?") != std::string::npos);
}

TEST_CASE("C interface: each thread has a message of its own") {
    pegen_table* table = nullptr;
    const char* const unknown = "sinusoidd";
    REQUIRE(pegen_open(&unknown, 1, &table) == PEGEN_USAGE);
    const std::string mine = pegen_message();
    std::string other = "?";
    std::thread([&] { other = pegen_message(); }).join();
    CHECK(other.empty());
    CHECK(pegen_message() == mine);
}

TEST_CASE("C interface: a forked process reads rows, too, though its threads are gone") {
    constexpr std::array many{"sinusoid", "--d", "64", "--len", "30000"};
    const Opened opened(many);
    std::vector<float> rows(64 * 30000);
    REQUIRE(pegen_read_rows(opened.table, 0, 30000, rows.data(), rows.size() * 4) == PEGEN_DONE);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);  // instead of waiting for ever
        std::vector<float> again(rows.size());
        pegen_read_rows(opened.table, 0, 30000, again.data(), again.size() * 4);
        ::_exit(again == rows ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
