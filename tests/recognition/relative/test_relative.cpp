#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/attention_array.h"
#include "recognition/recognized.h"

using namespace pegen;

namespace {

bool proposes(const std::string& command) {
    const std::string name = command.substr(0, command.find(' '));
    const std::vector<std::string> proposals = proposals_for(name, table_of(command));
    return std::ranges::find(proposals, command) != proposals.end();
}

/// Returns the table with each distinct value replaced by another one.
Table retrained(const Table& table) {
    std::vector<double> values = all_values(table);
    for (double& value : values) value = value + 0.1 * value * value * value;
    return evidence::data_table(std::move(values), table.shape,
                                evidence::precision_of(DType::float32));
}

}  // namespace

TEST_CASE("shaw: an index is proposed with its reach, its sign and what is outside") {
    for (const char* command : {
             "shaw --len 7 --max-distance 3",
             "shaw --len 3 --key-len 8 --max-distance 4",
             "shaw --len 80 --left 64 --right 8",
             "shaw --len 20 --left 7 --right 6 --sign query-key",
             "shaw --len 20 --max-distance 5 --outside zero",
             "shaw --len 1 --key-len 30 --max-distance 16",
             "shaw --len 12 --max-distance 4 --shift 3",
             "shaw --len 20 --max-distance 5 --outside zero --shift 3",
             "shaw --len 30 --left 5 --right 9 --sign query-key --shift 2",
         }) {
        CHECK(proposal_for(command) == command);
    }
}

TEST_CASE("shaw: gathered vectors are proposed with the seed that drew them, or with their table") {
    CHECK(proposes("shaw --len 10 --max-distance 4 --d 16 --seed 7 --table key-gathered"));
    CHECK(
        proposes("shaw --len 12 --max-distance 3 --d 10 --init uniform:0,1 --seed 7 "
                 "--table value-gathered"));
    CHECK(
        proposes("shaw --len 12 --left 5 --right 2 --sign query-key --d 10 --seed 7 "
                 "--table key-gathered"));
    CHECK(
        proposes("shaw --len 12 --max-distance 16 --d 16 --seed 7 "
                 "--table value-gathered"));
    // Neither end is seen to be clipped; of the reach that is shown, all usual seeds are tried.
    CHECK(proposes("shaw --len 5 --max-distance 4 --d 16 --seed 5309 --table key-gathered"));
    const Table trained =
        retrained(table_of("shaw --len 10 --max-distance 4 --d 32 --table key-gathered"));
    CHECK(proposal_for("shaw", trained) ==
          "shaw --len 10 --max-distance 4 --d 32 --key-table key-table.npy --table key-gathered");
}

TEST_CASE("shaw: the biases of some heads are no vectors") {
    const Table biases =
        retrained(table_of("shaw --len 10 --max-distance 4 --d 8 --table key-gathered"));
    CHECK(proposal_for("shaw", biases) == "none");
}

TEST_CASE("shaw: vectors of the values are told from a learned table unless they are normals") {
    CHECK(proposal_for("shaw --len 1 --left 4 --right 3 --d 20 --init uniform:0,1 --seed 42 "
                       "--table value") ==
          "shaw --len 1 --left 4 --right 3 --d 20 --init uniform:0,1 --seed 42 --table value");
    CHECK(proposal_for("shaw --len 1 --max-distance 4 --d 20 --table value") == "none");
    // No reach in use is more than 128; there may be more channels.
    for (const char* command :
         {"shaw --len 1 --max-distance 4 --d 300 --init uniform:0,1 --seed 42 --table value",
          "shaw --len 1 --max-distance 128 --d 4 --init uniform:0,1 --seed 42 --table value"}) {
        CHECK(proposal_for(command) == command);
    }
    CHECK(proposal_for("shaw --len 1 --max-distance 129 --d 4 --init uniform:0,1 --seed 42 "
                       "--table value") == "none");
}

TEST_CASE("t5: buckets are proposed with their number, their reach and their sides") {
    for (const char* command : {
             "t5 --len 200",
             "t5 --len 12 --key-len 33",
             "t5 --len 200 --causal",
             "t5 --len 100 --num-buckets 64",
             "t5 --len 100 --max-distance 50",
             "t5 --len 900 --num-buckets 320 --max-distance 800",
         }) {
        CHECK(proposes(command));
    }
}

TEST_CASE("t5: a bias is proposed with the seed of its weights, or with their table") {
    CHECK(proposes("t5 --heads 4 --len 200 --seed 601 --table bias"));
    CHECK(proposes("t5 --heads 4 --len 6 --seed 601 --table bias"));
    CHECK(proposes("t5 --heads 2 --len 80 --causal --seed 3 --table bias"));
    const Table trained = retrained(table_of("t5 --heads 4 --len 200 --table bias"));
    CHECK(proposal_for("t5", trained) ==
          "t5 --heads 4 --len 200 --bias-table bias-table.npy --table bias");
}

TEST_CASE("t5: a bias behind a causal mask has the buckets of a decoder") {
    CHECK(proposes("t5 --heads 4 --len 200 --causal --mask causal --seed 601 --table bias"));
    CHECK(proposes("t5 --heads 1 --len 20 --key-len 70 --causal --mask causal --table bias"));
    const Table trained =
        retrained(table_of("t5 --heads 4 --len 200 --causal --mask causal --table bias"));
    CHECK(proposal_for("t5", trained) ==
          "t5 --heads 4 --len 200 --causal --mask causal --bias-table bias-table.npy --table bias");
}

TEST_CASE("t5: the seed is proposed where only some of the weights are seen") {
    CHECK(proposes("t5 --heads 1 --len 7 --seed 601 --table bias"));
    CHECK(proposes("t5 --heads 1 --len 12 --num-buckets 64 --seed 9999 --table bias"));
    CHECK(proposes("t5 --heads 2 --len 7 --num-buckets 128 --causal --seed 3 --table bias"));
}

TEST_CASE("t5: a bias for each distance alone says nothing of buckets") {
    CHECK(proposal_for("t5", retrained(table_of("alibi --heads 4 --len 40"))) == "none");
}

TEST_CASE("t5: a smooth function of the distance in few digits says nothing of buckets") {
    CHECK(proposal_for("t5", table_of("fire --heads 2 --len 50", DType::bfloat16)) == "none");
    CHECK(proposal_for("t5", table_of("kerple --heads 2 --len 50", DType::bfloat16)) == "none");
}

TEST_CASE("deberta: buckets and their index are proposed with their numbers") {
    for (const char* command : {
             "deberta --len 600",
             "deberta --len 600 --clamp",
             "deberta --len 60 --position-buckets 32 --max-position 128",
             "deberta --len 600 --table index",
             "deberta --len 600 --clamp --table index",
             "deberta --len 600 --shift 4 --table index",
             "deberta --len 12 --position-buckets 8 --shift 5 --table index",
             "deberta --len 5 --key-len 600",
             "deberta --len 5 --key-len 600 --table index",
             "deberta --len 1 --key-len 300 --position-buckets 32 --max-position 128 --clamp",
         }) {
        CHECK(proposes(command));
    }
}

TEST_CASE("swin: an index is proposed with its window") {
    for (const char* command : {"swin --height 7 --width 7", "swin --height 3 --width 5",
                                "swin --height 3 --width 5 --prefix cls"}) {
        CHECK(proposal_for(command) == command);
    }
}

TEST_CASE("swin: a bias is proposed with the seed of its weights, or with their table") {
    CHECK(proposes("swin --height 3 --width 5 --heads 4 --seed 8 --table bias"));
    CHECK(
        proposes("swin --height 2 --width 4 --prefix cls --heads 4 --init normal:0,1 --seed 8 "
                 "--table bias"));
    const Table trained = retrained(table_of("swin --height 3 --width 5 --heads 3 --table bias"));
    CHECK(proposal_for("swin", trained) ==
          "swin --height 3 --width 5 --heads 3 --bias-table bias-table.npy --table bias");
}

TEST_CASE("swin: no table is proposed for a function of the distance between cells") {
    std::vector<double> values;
    for (int a = 0; a < 36; ++a) {
        for (int b = 0; b < 36; ++b) {
            const int y = b / 6 - a / 6, x = b % 6 - a % 6;
            values.push_back(std::exp(-0.1 * (y * y + x * x)));
        }
    }
    const Table kernel = evidence::data_table(std::move(values), Shape{36, 36},
                                              evidence::precision_of(DType::float32));
    CHECK(proposal_for("swin", kernel) == "none");
}

TEST_CASE("swin: a bias that depends on the distance alone is left to others") {
    CHECK(proposal_for("swin", table_of("alibi --heads 4 --len 16")) == "none");
}

TEST_CASE("swin-v2: coordinates are proposed with the window they were divided by") {
    for (const char* command : {"swin-v2 --height 8 --width 8", "swin-v2 --height 3 --width 5",
                                "swin-v2 --height 16 --width 16 --pretrained-window 8",
                                "swin-v2 --height 16 --width 8 --pretrained-window 8x12"}) {
        CHECK(proposal_for(command) == command);
    }
}
