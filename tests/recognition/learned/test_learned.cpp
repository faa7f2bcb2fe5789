#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/attention_array.h"
#include "recognition/recognized.h"

using namespace pegen;

namespace {

/// A table of these values, in float32.
Table table_from(std::vector<double> values, std::int64_t rows) {
    const std::int64_t columns = std::ssize(values) / rows;
    return evidence::data_table(std::move(values), Shape{rows, columns},
                                evidence::precision_of(DType::float32));
}

}  // namespace

TEST_CASE("learned: a drawn table is proposed with its initializer, seed and burn") {
    for (const char* command : {
             "learned --len 50 --d 64",
             "learned --len 7 --d 5 --seed 3407",
             "learned --len 64 --d 32 --init normal:0,0.02 --seed 9999 --burn 1",
             "learned --len 40 --d 32 --seed 2147483647 --padding-row 1",
             "learned --len 20 --d 48 --init normal:0.5,0.1 --seed 31337",
             "learned --len 30 --d 20 --init uniform:-0.1,0.1 --seed 5",
             "learned --len 30 --d 20 --init xavier-uniform --seed 42",
             "learned --len 19 --d 12 --init trunc-normal:0,0.02,-2,2 --seed 123",
             "learned --len 19 --d 12 --init trunc-normal:0,1,-2,2 --seed 6",
             "learned --len 19 --d 12 --init trunc-normal:0.5,0.02,0.46,0.54 --seed 12",
             "learned --len 50 --d 24 --seed 4 --rng torch-scalar",
         }) {
        CHECK(proposal_for(command) == command);
    }
}

TEST_CASE("learned: a deviation of 1/sqrt(d) is called so") {
    CHECK(proposal_for("learned --len 20 --d 48 --init normal:0,1/sqrt(d) --seed 1") ==
          "learned --len 20 --d 48 --init normal:0,1/sqrt(d) --seed 1");
}

TEST_CASE("learned: rows that are missing in front are part of the proposal") {
    std::vector<double> values = values_of("learned --len 66 --d 48 --seed 4");
    values.erase(values.begin(), values.begin() + 2 * 48);
    const auto proposals = find_recognized("learned", table_from(values, 64));
    REQUIRE(proposals.size() == 1);
    CHECK(proposals.front().rows.front() == 2);
    CHECK(proposals.front().rows.back() == 65);
    CHECK(proposal_for("learned", table_from(values, 64)) == "learned --len 66 --d 48 --seed 4");
}

TEST_CASE("learned: numbers of another generator are not proposed") {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(std::fmod(0.618034 * i * i, 1));
    CHECK(proposal_for("learned", table_from(values, 20)) == "none");
}

TEST_CASE("learned-grid: the image of DETR is proposed with its seed") {
    for (const char* command : {
             "learned-grid --num-pos-feats 8 --height 5 --width 7",
             "learned-grid --num-pos-feats 16 --height 4 --width 6 --combine sum --seed 1234",
             "learned-grid --num-pos-feats 20 --height 9 --width 64 --max-size 64 --seed 7",
         }) {
        CHECK(proposal_for(command) == command);
    }
}
