#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

using Values = std::vector<double>;

/// Returns the values in these columns of a table.
Values columns(const Table& table, const std::vector<std::int64_t>& which) {
    const Values all = all_values(table);
    Values result;
    for (std::int64_t row = 0; row < table.shape.rows(); ++row) {
        for (const std::int64_t column : which) {
            result.push_back(all[static_cast<std::size_t>(row * table.shape.columns() + column)]);
        }
    }
    return result;
}

}  // namespace

TEST_CASE("mrope: ids count on from text to grid and from grid to text") {
    const std::string command =
        "mrope --sequence text:2,image:2x3,video:3x1x2,text:2 --next NEXT --table ids";
    const auto ids = [&](const std::string& next) {
        std::string text = command;
        return values_of(text.replace(text.find("NEXT"), 4, next), DType::int64);
    };
    // The ids of transformers 4.56; with --next grid, the last two columns are the ids of
    // transformers 5.
    CHECK(ids("max") == Values{0, 1, 2, 2, 2, 2, 2, 2, 5, 5, 6, 6, 7, 7, 8, 9,  //
                               0, 1, 2, 2, 2, 3, 3, 3, 5, 5, 5, 5, 5, 5, 8, 9,  //
                               0, 1, 2, 3, 4, 2, 3, 4, 5, 6, 5, 6, 5, 6, 8, 9});
    CHECK(ids("grid") == Values{0, 1, 2, 2, 2, 2, 2, 2, 5, 5, 6, 6, 7, 7, 7, 8,  //
                                0, 1, 2, 2, 2, 3, 3, 3, 5, 5, 5, 5, 5, 5, 7, 8,  //
                                0, 1, 2, 3, 4, 2, 3, 4, 5, 6, 5, 6, 5, 6, 7, 8});
    CHECK(table_of(command.substr(0, command.find(" --next")) + " --table ids").shape ==
          Shape{3, 16});
}

TEST_CASE("mrope: text alone is rope") {
    const std::string rope = "rope --base 1000000 --len 9 --d 16";
    for (const std::string order : {"contiguous", "interleaved"}) {
        const std::string mrope = "mrope --sequence text:4,text:5 --d 16 --sections 3,3,2 --order ";
        CHECK(values_of(mrope + order) == values_of(rope));
        CHECK(values_of(mrope + order + " --layout interleaved --table sin") ==
              values_of(rope + " --layout interleaved --table sin"));
    }
    // The text behind an image has the same values as rope from its first position on.
    const Values all = values_of("mrope --sequence text:2,image:2x3,text:3");
    const Values text = values_of("rope --base 1000000 --d 128 --start 5 --len 3");
    CHECK(std::equal(text.begin(), text.end(), all.begin() + 8 * 128, all.end()));
}

TEST_CASE("mrope: each pair turns by its own axis") {
    // Returns these pairs of rope at these positions along t, y or x: the axes share one spectrum.
    const auto turned = [](const std::string& positions, const std::vector<std::int64_t>& pairs) {
        return columns(
            table_of("rope --base 1000000 --d 16 --layout single --positions " + positions), pairs);
    };
    const std::string command = "mrope --d 16 --layout single --sections 3,3,2 --sequence ";
    const std::string video = "text:4,video:2x2x3 --order ";
    const std::string t = "0,1,2,3,4,4,4,4,4,4,5,5,5,5,5,5", y = "0,1,2,3,4,4,4,5,5,5,4,4,4,5,5,5",
                      x = "0,1,2,3,4,5,6,4,5,6,4,5,6,4,5,6";
    const Table contiguous = table_of(command + video + "contiguous");
    CHECK(columns(contiguous, {0, 1, 2}) == turned(t, {0, 1, 2}));
    CHECK(columns(contiguous, {3, 4, 5}) == turned(y, {3, 4, 5}));
    CHECK(columns(contiguous, {6, 7}) == turned(x, {6, 7}));
    const Table interleaved = table_of(command + video + "interleaved");
    CHECK(columns(interleaved, {0, 3, 6}) == turned(t, {0, 3, 6}));
    CHECK(columns(interleaved, {1, 4, 7}) == turned(y, {1, 4, 7}));
    CHECK(columns(interleaved, {2, 5}) == turned(x, {2, 5}));
    const Table alternating = table_of("mrope --d 16 --layout single --sections 2,3,3 --sequence " +
                                       video + "alternating");
    CHECK(columns(alternating, {0, 2, 4}) == turned(y, {0, 2, 4}));
    CHECK(columns(alternating, {1, 3, 5}) == turned(x, {1, 3, 5}));
    CHECK(columns(alternating, {6, 7}) == turned(t, {6, 7}));
    const std::string slow = "0,1,2,3,4,4,4,4,4,4,6,6,6,6,6,6";
    const Table stepped = table_of(command + "text:4,video:2x2x3 --frame-step 2.5");
    CHECK(columns(stepped, {0, 1, 2}) == turned(slow, {0, 1, 2}));
    CHECK(columns(stepped, {6, 7}) == turned(x, {6, 7}));
}

TEST_CASE("mrope: frames at a distance move what comes behind them") {
    const auto first_behind = [](const std::string& options) {
        const Table ids = table_of("mrope --table ids --sequence video:4x2x2,text:1 " + options);
        return read_rows(ids, {0, 1}).back();
    };
    CHECK(first_behind("") == 4);
    CHECK(first_behind("--frame-step 2") == 7);
    CHECK(first_behind("--frame-step 0.5") == 2);
    CHECK(first_behind("--frame-step 0") == 2);
    CHECK(first_behind("--frame-step 2 --next grid") == 2);
}

TEST_CASE("mrope: positions of a file make the table of the sequence that has them") {
    const TemporaryFolder folder;
    const std::string path = folder.path("ids.npy"), sections = "--d 16 --sections 3,3,2 ";
    const std::string sequence = "--sequence text:2,video:2x2x3,text:1 ";
    const Table ids = table_of("mrope --table ids " + sections + sequence, DType::float64);
    const std::vector<double> list = all_values(ids);
    const std::string from_file = fmt::format("mrope --position-ids {} {}", path, sections);
    for (const char* shape : {"(3, 15)", "(3, 1, 15)"}) {
        put(path, npy_of_doubles(shape, list));
        for (const char* options : {"", "--table sin --order interleaved", "--arith float32"}) {
            CHECK(values_of(from_file + options) ==
                  values_of("mrope " + sections + sequence + options));
        }
    }
    CHECK(refusal_of(from_file + "--table ids") ==
          "--position-ids: the file is --table ids already; use --table cos or sin");
    CHECK(refusal_of(from_file + "--sequence text:4") ==
          "--sequence text:4: cannot be used with --position-ids; leave --sequence out");
    put(path, npy_of_doubles("(15, 3)", list));
    CHECK_THROWS_WITH_AS(
        table_of(from_file),
        fmt::format("{}: shape (15, 3): must be (3, tokens) or (3, 1, tokens), the "
                    "positions of frame, row and column",
                    path)
            .c_str(),
        FormatError);
    for (const double limit : {0x1p53, -0x1p53}) {
        put(path, npy_of_doubles("(3, 1)", {0, limit, 0}));
        CHECK_NOTHROW(values_of(from_file));
        put(path, npy_of_doubles("(3, 1)", {0, limit + std::copysign(2, limit), 0}));
        CHECK_THROWS_AS(values_of(from_file), FormatError);
    }
}

TEST_CASE("mrope: every pair of cos and sin lies on the unit circle") {
    const std::string command = "qwen3-vl --sequence text:3,image:4x5,text:2,video:6x2x2";
    const Values cos = values_of(command + " --table cos", DType::float64);
    const Values sin = values_of(command + " --table sin", DType::float64);
    for (std::size_t i = 0; i < cos.size(); ++i) {
        CHECK(cos[i] * cos[i] + sin[i] * sin[i] == doctest::Approx(1).epsilon(1e-15));
    }
}

TEST_CASE("mrope: any range of rows is that part of the table") {
    const Table table = table_of(
        "mrope --d 8 --sections 2,1,1 --sequence text:3,image:2x3,text:1,video:2x2x2,text:4");
    const Values all = all_values(table);
    const std::int64_t rows = table.shape.rows();
    REQUIRE(rows == 22);
    for (std::int64_t first = 0; first < rows; ++first) {
        for (std::int64_t count = 1; count <= rows - first; ++count) {
            const Values part = read_rows(table, {first, count});
            REQUIRE(std::equal(part.begin(), part.end(), all.begin() + first * 8));
        }
    }
}

TEST_CASE("mrope: a long sequence costs no more than the rows that are read") {
    const Table table = table_of("mrope --sequence text:1000000000,image:100000x100000,text:5");
    const std::int64_t last = table.shape.rows() - 1;
    CHECK(last == 11000000004);
    CHECK(read_rows(table, {last, 1}) ==
          values_of("rope --base 1000000 --d 128 --len 1 --start 1000100004"));
}

TEST_CASE("mrope: what does not go together is refused with the remedy") {
    const std::string form =
        ": must be a list of text:TOKENS, image:ROWSxCOLUMNS and video:FRAMESxROWSxCOLUMNS, such "
        "as text:5,image:4x6";
    const std::pair<std::string, std::string> refusals[]{
        {"--sequence text", "--sequence text" + form},
        {"--sequence image:3", "--sequence image:3" + form},
        {"--sequence audio:3", "--sequence audio:3" + form},
        {"--sequence text:3,", "--sequence text:3," + form},
        {"--sequence text:0", "--sequence text:0: 0 must be between 1 and 9007199254740992"},
        {"--sequence text:9007199254740992,text:1",
         "--sequence text:9007199254740992,text:1: has more than 2^53 tokens"},
        {"--d 7", "--d 7: must be even, since channels turn in pairs"},
        {"--sections 1,2", "--sections 1,2: must be 3 numbers, for frame, row and column"},
        {"--sections 16,24,25", "--sections 16,24,25: must add up to 64, half of --d 128"},
        {"--sections 16,24,24 --order interleaved",
         "--sections 16,24,24: --order interleaved gives rows and columns every third of 64 pairs, "
         "at most 21 and 21; use contiguous"},
        {"--sections 16,23,25 --order alternating",
         "--sections 16,23,25: --order alternating gives rows and columns as many pairs"},
        {"--sequence video:9007199254740992x1x1 --frame-step 2",
         "--sequence video:9007199254740992x1x1: has positions beyond 2^53"},
        {"--sequence text:5000000 --table ids",
         "--sequence text:5000000: 5000000 tokens; --table ids has rows of at most 4194304"},
    };
    for (const auto& [arguments, message] : refusals) {
        CHECK(refusal_of("mrope " + arguments) == message);
    }
}
