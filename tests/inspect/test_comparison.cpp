#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "figure/fake_table.h"
#include "inspect/comparison.h"

using namespace pegen;

namespace {

double value(std::int64_t row, std::int64_t channel) {
    return static_cast<double>(100 * channel + row);
}

PositionTable rows_of(const Table& table) { return read_positions(table, {1, {table.shape[0]}}); }

Comparison compare(const Table& first, const Table& second) {
    return pegen::compare(rows_of(first), rows_of(second));
}

Table original(std::int64_t rows = 6, std::int64_t channels = 8) {
    return table_from(rows, channels, value);
}

/// original() with the channels that `channel` says.
Table reordered(std::int64_t (*channel)(std::int64_t)) {
    return table_from(6, 8,
                      [=](std::int64_t row, std::int64_t c) { return value(row, channel(c)); });
}

}  // namespace

TEST_CASE("comparison: a table is equal to itself, NaN included") {
    const Table table = table_of({{1, std::nan("")}, {0.0, 4}});
    const Table same = table_of({{1, -std::nan("")}, {-0.0, 4}});
    const Comparison result = compare(table, same);
    CHECK(result.compared == 4);
    CHECK(result.differing == 0);
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->shift == 0);
    CHECK(result.rearrangement->channels == std::vector<std::int64_t>{0, 1});
}

TEST_CASE("comparison: the largest difference, where it is first, and how many there are") {
    const Comparison result =
        compare(table_of({{1, 2}, {3, 4}, {5, 6}}), table_of({{1, 5}, {3, 4}, {2, 6}}));
    CHECK(result.differing == 2);
    CHECK(result.largest == 3);
    CHECK(result.place == std::vector<std::int64_t>{0});
    CHECK(result.channel == 1);
    CHECK_FALSE(result.rearrangement);
    CHECK(compare(table_of({{1}}), table_of({{INFINITY}})).largest ==
          std::numeric_limits<double>::infinity());
}

TEST_CASE("comparison: orders of channels that code bases differ by have words") {
    const auto order = [](std::int64_t (*channel)(std::int64_t)) {
        return compare(reordered(channel), original()).rearrangement.value().order;
    };
    CHECK(order([](std::int64_t c) { return (c + 4) % 8; }) == "its two halves exchanged");
    CHECK(order([](std::int64_t c) { return c < 4 ? 2 * c : 2 * (c - 4) + 1; }) ==
          "its even channels first, then its odd ones");
    CHECK(order([](std::int64_t c) { return c / 2 + c % 2 * 4; }) == "its two halves interleaved");
    CHECK(order([](std::int64_t c) { return c ^ 1; }) == "each channel and the next exchanged");
    CHECK(order([](std::int64_t c) { return c / 2 % 2 == c / 4 ? c : c ^ 6; }) ==
          "its quarters in the order 1, 3, 2, 4");
}

TEST_CASE("comparison: any other order is found, too") {
    const auto result = compare(reordered([](std::int64_t c) { return 7 - c; }), original());
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->order.empty());
    CHECK(result.rearrangement->channels == std::vector<std::int64_t>{7, 6, 5, 4, 3, 2, 1, 0});
}

TEST_CASE("comparison: rows may begin up to three later or earlier") {
    for (const std::int64_t shift : {1, -1, 2, 3, -3}) {
        CAPTURE(shift);
        const Table moved = table_from(
            10, 4, [=](std::int64_t row, std::int64_t c) { return value(row + shift, c); });
        const auto result = compare(moved, original(10, 4));
        REQUIRE(result.rearrangement);
        CHECK(result.rearrangement->shift == shift);
    }
    const Table far =
        table_from(10, 4, [](std::int64_t row, std::int64_t c) { return value(row + 4, c); });
    CHECK_FALSE(compare(far, original(10, 4)).rearrangement);
}

TEST_CASE("comparison: a table with a row more in front is found by its shift") {
    const Table longer = table_from(
        7, 8, [](std::int64_t row, std::int64_t c) { return row == 0 ? 0 : value(row - 1, c); });
    const auto result = compare(original(), longer);
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->shift == 1);
}

TEST_CASE("comparison: odd numbers of channels have no halves") {
    const auto result = compare(table_of({{1, 2, 3}, {4, 5, 6}}), table_of({{2, 3, 1}, {5, 6, 4}}));
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->order.empty());
    CHECK(result.rearrangement->channels == std::vector<std::int64_t>{2, 0, 1});
}

TEST_CASE("comparison: grids are shifted along all axes, sequences along the one they have") {
    const auto grid = [](std::int64_t shift) {
        return table_from(20, 2, [=](std::int64_t token, std::int64_t c) {
            return value(10 * (token / 5 + shift) + token % 5 + shift, c);
        });
    };
    const PositionTable one = read_positions(grid(1), {1, {4, 5}});
    const PositionTable zero = read_positions(grid(0), {1, {4, 5}});
    REQUIRE(pegen::compare(one, zero).rearrangement);
    CHECK(pegen::compare(one, zero).rearrangement->shift == 1);
    CHECK(pegen::compare(one, zero).place == std::vector<std::int64_t>{0, 0});
    CHECK_FALSE(compare(grid(1), grid(0)).rearrangement);
}

TEST_CASE("comparison: positions are the same by columns, with channels first, behind other rows") {
    const PositionTable plain = read_positions(original(), {1, {2, 3}});
    const Table by_columns = table_from(7, 8, [](std::int64_t row, std::int64_t c) {
        return row == 0 ? 9 : value((row - 1) % 2 * 3 + (row - 1) / 2, c);
    });
    CHECK(read_positions(by_columns, {1, {2, 3}, 1, true}).channels == plain.channels);
    const Table channels_first =
        table_from(8, 6, [](std::int64_t c, std::int64_t row) { return value(row, c); });
    CHECK(read_positions(channels_first, {0, {2, 3}}).channels == plain.channels);
}

TEST_CASE("comparison: a row of zeros in one of the tables is left out, but not many") {
    const auto with_zeros = [](std::int64_t from, std::int64_t to) {
        return table_from(6, 8, [=](std::int64_t row, std::int64_t c) {
            return row >= from && row <= to ? 0.0 : value(row, c);
        });
    };
    const Comparison result = compare(with_zeros(2, 2), original());
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->zeros == std::vector<std::int64_t>{2});
    CHECK(result.differing == 8);
    CHECK_FALSE(compare(with_zeros(1, 4), original()).rearrangement);
}

TEST_CASE("comparison: a table may be a part of one with more channels") {
    const auto result = compare(table_of({{2, 1}, {5, 4}}), table_of({{1, 2, 3}, {4, 5, 6}}));
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->channels == std::vector<std::int64_t>{1, 0});
    CHECK_FALSE(
        compare(table_of({{2, 9}, {5, 4}}), table_of({{1, 2, 3}, {4, 5, 6}})).rearrangement);
}
