#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

TEST_CASE("segments: two segments, by hand") {
    CHECK(values_of("segments --lengths 1,2") == std::vector<double>{1, 0, 0, 0, 1, 1, 0, 1, 1});
    CHECK(values_of("segments --lengths 1,2 --causal") ==
          std::vector<double>{1, 0, 0, 0, 1, 0, 0, 1, 1});
    constexpr double hidden = -std::numeric_limits<double>::infinity();
    CHECK(values_of("segments --lengths 1,2 --causal --table mask") ==
          std::vector<double>{0, hidden, hidden, hidden, 0, hidden, hidden, 0, 0});
    CHECK(values_of("segments --lengths 1,3 --table segment") == std::vector<double>{0, 1, 1, 1});
    CHECK(values_of("segments --lengths 1,3 --table within") == std::vector<double>{0, 0, 1, 2});
    CHECK(values_of("segments --lengths 1,3 --table within --max-within 2") ==
          std::vector<double>{0, 0, 1, 1});
}

TEST_CASE("segments: positions and sentences are those of BiPE") {
    // get_bilevel_ids of zhenyuhe00/BiPE, train_scale 3.
    const TemporaryFolder folder;
    put(folder.path("tokens.txt"), "5 869 3 4 6 7 13 13 9 8");
    const std::string command = "bipe --tokens " + folder.path("tokens.txt") + " --table ";
    CHECK(values_of(command + "within --max-within 3") ==
          std::vector<double>{0, 1, 0, 1, 2, 2, 2, 0, 0, 1});
    CHECK(values_of(command + "within") == std::vector<double>{0, 1, 0, 1, 2, 3, 4, 0, 0, 1});
    CHECK(values_of(command + "segment") == std::vector<double>{0, 0, 1, 1, 1, 1, 1, 2, 3, 3});
}

TEST_CASE("segments: the bias is one of two numbers for each head, as in Moirai") {
    // BinaryAttentionBias: row 0 of its embedding for other variates, row 1 for the same.
    const TemporaryFolder folder;
    put(folder.path("ids.txt"), "7 -1 7");
    put(folder.path("emb.npy"), npy_of_doubles("(2, 2)", {0.5, -3, 2, 0.1}));
    const std::string command = "moirai --table bias --heads 2 --ids " + folder.path("ids.txt");
    CHECK(values_of(command + " --bias-table " + folder.path("emb.npy"), DType::float64) ==
          std::vector<double>{2, 0.5, 2, 0.5, 2, 0.5, 2, 0.5, 2,  //
                              0.1, -3, 0.1, -3, 0.1, -3, 0.1, -3, 0.1});
    const std::vector<double> drawn = values_of("learned --len 2 --d 2 --seed 8");
    const std::vector<double> bias = values_of(command + " --seed 8");
    for (std::size_t head = 0; head < 2; ++head) {
        CHECK(bias[head * 9 + 1] == drawn[head]);
        CHECK(bias[head * 9 + 2] == drawn[2 + head]);
    }
}

TEST_CASE("segments: ids are kept as they are, and segments begin where the id changes") {
    const TemporaryFolder folder;
    put(folder.path("ids.txt"), "7 7 -1 7 7 7");
    const std::string command = "segments --ids " + folder.path("ids.txt") + " --table ";
    CHECK(values_of(command + "segment") == std::vector<double>{7, 7, -1, 7, 7, 7});
    CHECK(values_of(command + "within") == std::vector<double>{0, 1, 0, 0, 1, 2});
}

TEST_CASE("segments: no row is stored, and each is the same however it is read") {
    const Table table = table_of("segments --lengths 3,60000,1 --causal");
    CHECK(table.shape == Shape{60004, 60004});
    const std::vector<double> rows = read_rows(table, {59000, 2});
    CHECK(std::vector(rows.begin() + 60004, rows.end()) == read_rows(table, {59001, 1}));
    CHECK(rows[2] == 0);
    CHECK(rows[3] == 1);
    CHECK(rows[59000] == 1);
    CHECK(rows[59001] == 0);
}

TEST_CASE("segments: sources of segments do not go together") {
    const TemporaryFolder folder;
    put(folder.path("t.txt"), "1 2 3");
    const std::string file = folder.path("t.txt");
    CHECK(refusal_of("segments --separators 2 --tokens " + file + " --ids " + file) ==
          "--ids: --tokens already says which segments; give one or the other");
    CHECK(refusal_of("segments --lengths 3 --ids " + file) ==
          "--lengths: --ids already says which segments; give one or the other");
    CHECK(refusal_of("segments --tokens " + file) ==
          "--tokens: needs --separators, the tokens that end a segment");
    put(folder.path("t.txt"), "4294967296");
    CHECK(refusal_of("segments --table segment --ids " + file, DType::int32) ==
          "--dtype int32: cannot hold the largest number, 4294967296; its largest value is "
          "2147483647");
}
