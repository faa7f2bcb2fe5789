#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "figure/fake_table.h"
#include "inspect/comparison.h"
#include "rows/kept.h"

using namespace pegen;

namespace {

double value(std::int64_t row, std::int64_t channel) {
    return static_cast<double>(100 * channel + row);
}

using Index = std::vector<std::int64_t>;

Comparison compare(const Table& first, const Table& second) {
    return pegen::compare(read_positions(first), read_positions(second));
}

/// `table` with its rows as points of a grid.
Table of_grid(Table table, Index extents, std::int64_t rows_before = 0,
              bool is_by_columns = false) {
    table.axes.front() = {.kind = AxisKind::point,
                          .name = "token",
                          .rows_before = rows_before,
                          .extents = std::move(extents),
                          .is_by_columns = is_by_columns};
    return table;
}

/// Returns the same values in another shape, with axes of these kinds.
Table reshaped(Table table, const Shape& shape, const std::vector<AxisKind>& kinds) {
    const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
    table.shape = shape;
    table.axes.clear();
    for (const AxisKind kind : kinds) table.axes.push_back({.kind = kind});
    table.rows = rounded(rows::kept_rows(values, shape.columns()), table.dtype);
    return table;
}

Table original(std::int64_t rows = 6, std::int64_t channels = 8) {
    return table_from(rows, channels, value);
}

/// Returns original() with the channels that `channel` selects.
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
    CHECK(result.rearrangement->channels == Index{0, 1});
}

TEST_CASE("comparison: the largest difference, where it is first, and how many there are") {
    const Comparison result =
        compare(table_of({{1, 2}, {3, 4}, {5, 6}}), table_of({{1, 5}, {3, 4}, {2, 6}}));
    CHECK(result.differing == 2);
    CHECK(result.largest == 3);
    CHECK(result.place == Index{0});
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
    CHECK(result.rearrangement->channels == Index{7, 6, 5, 4, 3, 2, 1, 0});
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

TEST_CASE("comparison: what float32 arithmetic leaves counts as equal only if it may") {
    const auto noisy = [](std::int64_t row, std::int64_t channel) {
        const double error = static_cast<double>(row) * 0x1p-24;
        return std::sin(static_cast<double>((channel ^ 1) * 100 + row)) + error;
    };
    const auto exact = [](std::int64_t row, std::int64_t channel) {
        return std::sin(static_cast<double>(channel * 100 + row));
    };
    const PositionTable a = read_positions(table_from(6, 8, noisy)),
                        b = read_positions(table_from(6, 8, exact));
    CHECK_FALSE(pegen::compare(a, b).rearrangement);
    CHECK_FALSE(pegen::compare(a, b, {.position = 0x1p-26}).rearrangement);
    const Comparison close = pegen::compare(a, b, closeness_of_float32(DType::float64));
    REQUIRE(close.rearrangement);
    CHECK(close.rearrangement->order == "each channel and the next exchanged");
    CHECK(close.rearrangement->largest == doctest::Approx(5 * 0x1p-24));
    CHECK(close.rearrangement->in_units == doctest::Approx(0.5));
}

TEST_CASE("comparison: of channels that are close, each has the closest") {
    const auto nearly_constant = [](std::int64_t row, std::int64_t channel) {
        return 1 - 1e-7 * static_cast<double>(channel * row);
    };
    const auto turned = [&](std::int64_t row, std::int64_t channel) {
        return nearly_constant(row, (channel + 3) % 7);
    };
    const Comparison found =
        pegen::compare(read_positions(table_from(6, 7, turned)),
                       read_positions(table_from(6, 7, nearly_constant)), {.relative = 1e-4});
    REQUIRE(found.rearrangement);
    CHECK(found.rearrangement->channels == Index{3, 4, 5, 6, 0, 1, 2});
}

TEST_CASE("comparison: odd numbers of channels have no halves") {
    const auto result = compare(table_of({{1, 2, 3}, {4, 5, 6}}), table_of({{2, 3, 1}, {5, 6, 4}}));
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->order.empty());
    CHECK(result.rearrangement->channels == Index{2, 0, 1});
}

TEST_CASE("comparison: grids are shifted along all axes, sequences along the one they have") {
    const auto grid = [](std::int64_t shift) {
        return table_from(20, 2, [=](std::int64_t token, std::int64_t c) {
            return value(10 * (token / 5 + shift) + token % 5 + shift, c);
        });
    };
    const Comparison found = compare(of_grid(grid(1), {4, 5}), of_grid(grid(0), {4, 5}));
    REQUIRE(found.rearrangement);
    CHECK(found.rearrangement->shift == 1);
    CHECK(found.place == Index{0, 0});
    CHECK_FALSE(compare(grid(1), grid(0)).rearrangement);
}

TEST_CASE("comparison: positions are the same by columns, with channels first, behind other rows") {
    const PositionTable plain = read_positions(of_grid(original(), {2, 3}));
    CHECK(plain.extents == Index{2, 3});
    CHECK_FALSE(plain.is_by_columns);
    const Table by_columns = table_from(7, 8, [](std::int64_t row, std::int64_t c) {
        return row == 0 ? 9 : value((row - 1) % 2 * 3 + (row - 1) / 2, c);
    });
    const PositionTable turned = read_positions(of_grid(by_columns, {2, 3}, 1, true));
    CHECK(turned.channels == plain.channels);
    CHECK(turned.is_by_columns);
    const Table channels_first =
        table_from(8, 6, [](std::int64_t c, std::int64_t row) { return value(row, c); });
    using enum AxisKind;
    const PositionTable image =
        read_positions(reshaped(channels_first, {1, 8, 2, 3}, {batch, channel, pixel, pixel}));
    CHECK(image.channels == plain.channels);
    CHECK(image.extents == Index{2, 3});
}

TEST_CASE("comparison: rows before the first position are left out along any axis") {
    using enum AxisKind;
    const Table rows = table_from(6, 2, value);
    Table one = reshaped(rows, {6, 2}, {position, channel});
    one.axes[0].rows_before = 2;
    CHECK(read_positions(one).extents == Index{4});
    CHECK(read_positions(one).channels[0] == std::vector<double>{2, 3, 4, 5});
    Table several = reshaped(rows, {2, 3, 2}, {head, position, channel});
    several.axes[1].rows_before = 1;
    CHECK(read_positions(several).extents == Index{2, 2});
    CHECK(read_positions(several).channels[0] == std::vector<double>{1, 2, 4, 5});
}

TEST_CASE("comparison: without an axis of channels, the last of several axes is taken for it") {
    using enum AxisKind;
    const Table values = table_from(6, 4, value);
    const PositionTable bias = read_positions(reshaped(values, {2, 3, 4}, {head, query, key}));
    CHECK(bias.extents == Index{2, 3});
    CHECK(bias.channels.size() == 4);
    CHECK(bias.channel_axis.kind == key);
    const PositionTable list = read_positions(reshaped(values, {24}, {position}));
    CHECK(list.extents == Index{24});
    CHECK(list.channels.size() == 1);
    const PositionTable single = read_positions(reshaped(values, {24}, {channel}));
    CHECK(single.extents == Index{1});
    CHECK(single.channels.size() == 24);
    const PositionTable number = read_positions(reshaped(table_of({{7}}), {}, {}));
    CHECK(number.extents == Index{1});
    CHECK(number.channels == std::vector<std::vector<double>>{{7}});
}

TEST_CASE("comparison: positions of heads and functions are shifted, not heads and functions") {
    using enum AxisKind;
    const auto table = [](AxisKind kind, std::int64_t shift, std::int64_t tables) {
        const Table rows = table_from(5 * tables, 2, [=](std::int64_t row, std::int64_t c) {
            return value(100 * (row / 5) + row % 5 + shift, c);
        });
        return reshaped(rows, {tables, 5, 2}, {kind, position, channel});
    };
    for (const AxisKind kind : {head, function, batch}) {
        const Comparison found = compare(table(kind, 1, 3), table(kind, 0, 3));
        REQUIRE(found.rearrangement);
        CHECK(found.rearrangement->shift == 1);
        CHECK(found.differing == 30);
        CHECK(found.place == Index{0, 0});
        CHECK(std::ranges::count_if(found.axes, is_shifted_along) == 1);
        CHECK(compare(table(kind, 0, 3), table(kind, 0, 2)).compared == 20);
    }
    const Comparison mixed = compare(table(pixel, 1, 3), table(head, 0, 3));
    CHECK(mixed.axes.front().kind == head);
    CHECK(mixed.rearrangement);
}

TEST_CASE("comparison: tables of different numbers of axes are compared as sequences") {
    using enum AxisKind;
    const Table rows = original();
    const Comparison found = compare(reshaped(rows, {2, 3, 8}, {pixel, pixel, channel}), rows);
    CHECK(found.axes.size() == 1);
    CHECK(found.compared == 48);
    CHECK(found.differing == 0);
}

TEST_CASE("comparison: tables without values have nothing in common") {
    using enum AxisKind;
    const Table none = reshaped(table_from(0, 2, value), {0, 2}, {position, channel});
    const Comparison found = compare(none, original(2, 2));
    CHECK(found.compared == 0);
    CHECK_FALSE(found.rearrangement);
}

TEST_CASE("comparison: a row of zeros in one of the tables is left out, but not many") {
    const auto with_zeros = [](std::int64_t from, std::int64_t to) {
        return table_from(6, 8, [=](std::int64_t row, std::int64_t c) {
            return row >= from && row <= to ? 0.0 : value(row, c);
        });
    };
    const Comparison result = compare(with_zeros(2, 2), original());
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->zeros == Index{2});
    CHECK(result.differing == 8);
    CHECK_FALSE(compare(with_zeros(1, 4), original()).rearrangement);
}

TEST_CASE("comparison: a table may be a part of one with more channels") {
    const auto result = compare(table_of({{2, 1}, {5, 4}}), table_of({{1, 2, 3}, {4, 5, 6}}));
    REQUIRE(result.rearrangement);
    CHECK(result.rearrangement->channels == Index{1, 0});
    CHECK_FALSE(
        compare(table_of({{2, 9}, {5, 4}}), table_of({{1, 2, 3}, {4, 5, 6}})).rearrangement);
}
