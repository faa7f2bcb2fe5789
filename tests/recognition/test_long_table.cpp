#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/names.h"
#include "encodings/table_of.h"
#include "recognition/identify.h"
#include "recognition/long_table.h"
#include "rows/kept.h"

using namespace pegen;

namespace {

/// Returns the options of the command that the answer names: "--d 128 --reverse".
std::string options_of(const Table& table) {
    const recognition::Identification answer = recognition::identify(table);
    if (!answer.found) return "not identified: " + answer.departure;
    return joined(std::vector(answer.found->command.begin() + 2, answer.found->command.end()), " ");
}

Table with_values(const Table& table, const std::vector<double>& values) {
    Table changed = table;
    changed.rows = rounded(rows::kept_rows(values, table.shape.columns()), table.dtype);
    return changed;
}

}  // namespace

TEST_CASE("long table: the positions of all rows are found") {
    for (const char* const options : {
             "--len 5000 --d 128",
             "--len 5000 --d 128 --reverse",
             "--len 5000 --d 128 --start 7 --step 0",
             "--len 5000 --d 128 --start 3 --step 0.5",
             "--d 128 --positions 0:2047,2047x2953",
             "--d 128 --positions 1x1200,0:3800",
             "--d 128 --positions 0:1700,0:3300",
             "--d 128 --positions 0:2500x2",
             "--len 5000 --d 128 --layout halves --denom-shift 2 --zero-row 1",
         }) {
        CHECK(options_of(table_of(std::string("sinusoid ") + options)) == options);
    }
    CHECK(options_of(table_of("rope --d 96 --positions 0:4000,0:2000")) ==
          "--d 96 --positions 0:4000,0:2000");
    CHECK(options_of(table_of("sinusoid --len 5000 --d 128 --arith bfloat16")) ==
          "--len 5000 --d 128 --arith bfloat16");
}

TEST_CASE("long table: rows in any order are found, and zeros behind the channels are said") {
    const Table table = table_of("sinusoid --len 8200 --d 64");
    const std::vector<double> values = all_values(table);
    std::vector<std::int64_t> order(8200);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    const auto in_order = [&] {
        std::vector<double> rows;
        for (const std::int64_t row : order) {
            const auto begin = values.begin() + row * 64;
            rows.insert(rows.end(), begin, begin + 64);
        }
        return rows;
    };
    const recognition::Identification shuffled =
        recognition::identify(with_values(table, in_order()));
    REQUIRE(shuffled.nearest);
    CHECK(joined(shuffled.nearest->command, " ") == "pe-gen sinusoid --len 8200 --d 64");
    CHECK(shuffled.departure == "the rows are in another order");
    for (std::int64_t& row : order) row = row * row % 8200;
    CHECK(options_of(with_values(table, in_order())) == "--d 64 --positions-file positions.npy");
}

TEST_CASE("long table: channels of zeros behind the table's are said") {
    // More values than a sample has.
    const std::vector<double> values = all_values(table_of("sinusoid --len 60000 --d 64"));
    std::vector<double> padded;
    for (auto row = values.begin(); row != values.end(); row += 64) {
        padded.insert(padded.end(), row, row + 64);
        padded.insert(padded.end(), 8, 0.0);
    }
    const recognition::Identification answer =
        recognition::identify(with_values(table_of("sinusoid --len 60000 --d 72"), padded));
    REQUIRE(answer.found);
    CHECK(joined(answer.found->command, " ") == "pe-gen sinusoid --len 60000 --d 64");
    CHECK(answer.found->notes ==
          std::vector<std::string>{"the array has 8 more channels, of zeros"});
}

TEST_CASE("long table: rows that are no rows of the table are said, and nothing is claimed") {
    const Table table = table_of("sinusoid --len 5000 --d 128");
    std::vector<double> values = all_values(table);
    const auto begin = values.begin() + std::ptrdiff_t{3000} * 128;
    std::fill(begin, begin + std::ptrdiff_t{10} * 128, 0.0);
    CHECK(options_of(with_values(table, values)) ==
          "not identified: 1279 values in rows 3000 to 3009, which are 0");
}

TEST_CASE("long table: short tables, and tables of no convention, are left to the search") {
    const auto found = [](const Table& table) {
        return recognition::long_table(table, ignore_progress).has_value();
    };
    CHECK(found(table_of("sinusoid --len 4096 --d 128")));
    CHECK_FALSE(found(table_of("sinusoid --len 4095 --d 256")));
    CHECK_FALSE(found(table_of("sinusoid --len 4096 --d 126")));
    CHECK_FALSE(found(table_of("binary --len 70000")));
    CHECK_FALSE(found(table_of("learned --len 5000 --d 128 --seed 123456")));
}
