#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"
#include "rows/arranged.h"

using namespace pegen;

namespace {

/// The table of several columns of `table`, in this order.
Table columns_of(const Table& table, const std::vector<std::int64_t>& columns) {
    Table result = table;
    result.rows = rows::chosen_columns(table.rows, columns);
    result.shape = {result.rows.count(), result.rows.columns()};
    return result;
}

}  // namespace

TEST_CASE("rope recognition: each table is found, in all formats") {
    for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
        for (const char* table : {"cos", "sin", "angles", "freqs-cis", "sin-cos", "matrices",
                                  "rotation", "inv-freq", "wavelengths"}) {
            check_proposed("rope --d 32 --len 40 --base 5000 --table " + std::string(table), dtype);
        }
    }
}

TEST_CASE("rope recognition: layouts and pairings are found") {
    check_proposed("rope --d 64 --len 30 --layout interleaved");
    check_proposed("rope --d 64 --len 30 --layout single --table sin");
    check_proposed("rope --d 16 --len 10 --pairing interleaved --table rotation");
}

TEST_CASE("rope recognition: scalings are found from cosines and from sines") {
    for (const std::string table : {"cos", "sin"}) {
        check_proposed("llama3.1 --len 100 --table " + table);
        check_proposed("gpt-oss --len 100 --table " + table);
        check_proposed("deepseek --len 100 --table " + table);
        check_proposed("gemma3 --len 100 --table " + table);
        check_proposed("rope --d 64 --len 64 --scaling ntk --factor 4 --table " + table);
        check_proposed(
            "rope --d 64 --len 600 --scaling dynamic --factor 2 "
            "--max-position-embeddings 256 --table " +
            table);
        check_proposed(
            "rope --d 64 --len 64 --scaling proportional --partial-rotary-factor 0.25 "
            "--table " +
            table);
    }
}

TEST_CASE("rope recognition: positions are found") {
    check_proposed("rope --d 64 --len 50 --start 7");
    check_proposed("rope --d 64 --len 50 --start 7 --base 12345");
    check_proposed("rope --d 64 --len 50 --start 100000 --step 3 --table sin");
    check_proposed("rope --d 64 --len 50 --step 0.5 --scaling ntk --factor 6");
    check_proposed("rope --d 64 --len 50 --reverse --table freqs-cis");
    check_proposed("rope --d 64 --positions 0,1,5,9,100,1000,2,3");
    check_proposed("llama3.1 --len 50 --start 5 --table angles");
}

TEST_CASE("rope recognition: positions are a progression as far as the format shows it") {
    const Table table = table_of(
        "rope --d 32 --len 128 --base 1000 --start 2 --step 0.25 --scaling yarn --factor 40 "
        "--original-max-position-embeddings 4096 --attention-factor 1",
        DType::bfloat16);
    const auto proposals = find_recognized("rope", table);
    REQUIRE(!proposals.empty());
    for (const auto& proposal : proposals) {
        CHECK(setting_of(proposal, "start") == "2");
        CHECK(setting_of(proposal, "step") == "0.25");
    }
    CHECK(makes_one_of(proposals, "rope", table));
}

TEST_CASE("rope recognition: two pairs in 8 bits show whole positions") {
    check_proposed("rope --d 4 --len 128 --base 1e6 --start 2", DType::bfloat16);
}

TEST_CASE("rope recognition: positions that end at 0 but for rounding are counted down") {
    const auto proposals = find_recognized(
        "rope", table_of("rope --d 16 --len 47 --base 20 --reverse --scaling linear --factor 2.5"));
    REQUIRE(!proposals.empty());
    for (const auto& proposal : proposals) {
        CHECK(setting_of(proposal, "step") != "-0.4");
    }
}

TEST_CASE("rope recognition: a list of positions stands on a common grid") {
    check_proposed("rope --d 64 --positions 0,0.5,1.5,3,7.25,100");
    // Fractions of many digits fit any angles.
    CHECK(find_recognized("rope", table_of("rope --d 64 --positions 0,0.12345,1.6789,3.14159"))
              .empty());
}

TEST_CASE("rope recognition: counted down in 16 bits, with a base of no model") {
    check_proposed("rope --d 16 --len 200 --base 30000 --reverse", DType::float16);
}

TEST_CASE("rope recognition: a spoiled channel of a doubled layout leaves the others") {
    const Table table = table_of("rope --d 32 --len 50 --layout interleaved");
    std::vector<double> values = all_values(table);
    for (std::size_t row = 0; row < 50; ++row) values[32 * row + 9] = 0.25;
    const auto proposals = find_recognized("rope", sample_of(table, values));
    CHECK(makes_one_of(proposals, "rope", table));
}

TEST_CASE("rope recognition: within noise, the plain settings are proposed alone") {
    const Table table = table_of("rope --d 32 --len 50");
    std::vector<double> values = all_values(table);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += 0.02 * (std::fmod(static_cast<double>(i + 1) * 0.7548776662, 1.0) - 0.5);
    }
    pegen::evidence::Sample sample = sample_of(table, values);
    sample.noise = 1e-2;
    const auto proposals = find_recognized("rope", sample);
    CHECK(makes_one_of(proposals, "rope", table));
    for (const auto& proposal : proposals) CHECK(setting_of(proposal, "arith").empty());
}

TEST_CASE("rope recognition: stacked cosines and sines are said to be") {
    const Table table = table_of("rope --d 16 --len 30 --table sin-cos");
    // cos 0 ... 7 twice, then sin 0 ... 7 twice
    std::vector<std::int64_t> stacked;
    for (const std::int64_t first : {8, 8, 0, 0}) {
        for (std::int64_t m = 0; m < 8; ++m) stacked.push_back(first + m);
    }
    const auto proposals = find_recognized("rope", columns_of(table, stacked));
    REQUIRE(!proposals.empty());
    CHECK(proposals[0].notes ==
          std::vector<std::string>{"stacked: the first half of the array's channels is --table cos "
                                   "--layout half, the second one --table sin"});
}

TEST_CASE("rope recognition: the arithmetic of other code is found where it differs") {
    check_proposed("rope --d 128 --base 500000 --len 20 --start 131000 --arith float32");
    check_proposed("rope --d 128 --base 500000 --len 300 --arith ggml");
}

TEST_CASE("rope recognition: the first proposal has the simplest settings") {
    CHECK(proposal_for("rope --d 64 --len 50") == "rope --d 64 --len 50");
    CHECK(proposal_for("rope --d 64 --len 50 --base 54321 --table sin") ==
          "rope --d 64 --base 54321 --len 50 --table sin");
}

TEST_CASE("rope recognition: cosines before sines are the table cos-sin, as vLLM has it") {
    const Table table = table_of("rope --d 8 --len 30 --base 500 --table sin-cos");
    const std::vector<std::int64_t> cosines_first{4, 5, 6, 7, 0, 1, 2, 3};
    const auto proposals = find_recognized("rope", columns_of(table, cosines_first));
    REQUIRE(!proposals.empty());
    CHECK(proposals[0].table == "cos-sin");
    CHECK(proposals[0].channels.empty());
    CHECK(setting_of(proposals[0], "base") == "500");
}

TEST_CASE("rope recognition: the angle of a cell is its position times its frequency") {
    const auto proposals =
        find_recognized("rope", table_of("rope --d 4 --len 50 --base 100 --layout interleaved"));
    REQUIRE(!proposals.empty());
    CHECK(proposals[0].angle(30, 0) == doctest::Approx(30));
    CHECK(proposals[0].angle(30, 1) == doctest::Approx(30));
    CHECK(proposals[0].angle(30, 2) == doctest::Approx(3));
}

TEST_CASE("rope recognition: strangers' arrays have no proposal") {
    const Table table = table_of("rope --d 16 --len 20");
    const std::size_t size = all_values(table).size();
    for (const double value : {0.0, 0.5, -7.0, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
        CAPTURE(value);
        CHECK(find_recognized("rope", sample_of(table, std::vector(size, value))).empty());
    }
    std::vector<double> noise(size);
    for (std::size_t i = 0; i < size; ++i) {
        noise[i] = std::fmod(static_cast<double>(i + 1) * 0.7548776662, 1.0) - 0.5;
    }
    CHECK(find_recognized("rope", sample_of(table, noise)).empty());
}
