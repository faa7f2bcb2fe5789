#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/parallel.h"
#include "formats/fake_table.h"
#include "inspect/difference.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Index = std::vector<std::int64_t>;

Difference between(DType dtype, const std::vector<double>& a, const std::vector<double>& b,
                   const Tolerance& tolerance = {}) {
    const Shape shape{static_cast<std::int64_t>(a.size())};
    return difference_of(table_of(shape, dtype, a), table_of(shape, dtype, b), tolerance);
}

Table matrix(std::int64_t rows, std::int64_t first_row) {
    std::vector<double> values;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (int column = 0; column < 3; ++column) {
            values.push_back(std::sin(static_cast<double>(row + first_row) + column));
        }
    }
    return table_of({rows, 3}, DType::float32, values);
}

}  // namespace

TEST_CASE("difference: NaN is NaN and plus zero is minus zero") {
    const Difference found = between(DType::float32, {not_a_number, 0.0, infinity, -0.0},
                                     {not_a_number, -0.0, infinity, 0.0});
    CHECK(found.values == 4);
    CHECK(found.differing == 0);
    CHECK_FALSE(found.largest_place);
}

TEST_CASE("difference: what is not finite is within no tolerance of another") {
    const Tolerance wide{.absolute = 1e300, .relative = 1e300, .ulps = 1'000'000'000'000'000'000};
    for (const auto& [a, b] : {std::pair{not_a_number, 1.0},
                               {1.0, not_a_number},
                               {infinity, 1.0},
                               {infinity, -infinity},
                               {1.0, infinity}}) {
        const Difference found = between(DType::float64, {0.25, a}, {0, b}, wide);
        CHECK(found.beyond == 1);
        CHECK(found.largest == infinity);
        CHECK(found.largest_finite == 0.25);
        CHECK(found.largest_place->index == Index{1});
    }
}

TEST_CASE("difference: the largest is the first of its size and has its place and values") {
    const Table a = table_of({2, 3}, DType::float32, {0, 1, 2, 3, 4, 5});
    const Table b = table_of({2, 3}, DType::float32, {0, 1, 2.5, 3, 4.5, 5.25});
    const Difference found = difference_of(a, b, {});
    CHECK(found.values == 6);
    CHECK(found.differing == 3);
    CHECK(found.beyond == 3);
    CHECK(found.largest == 0.5);
    CHECK(found.largest_place->index == Index{0, 2});
    CHECK(found.largest_place->a == "2");
    CHECK(found.largest_place->b == "2.5");
}

TEST_CASE("difference: ULPs are floats of the narrower dtype") {
    const auto ulps = [](DType dtype, double a, double b) {
        return between(dtype, {a}, {b}).largest_ulps;
    };
    CHECK(ulps(DType::float64, 1, 1 + 0x1p-52) == 1);
    CHECK(ulps(DType::float32, 1, 1 - 0x1p-24) == 1);
    CHECK(ulps(DType::float16, 1, 1 + 0x1p-8) == 4);
    CHECK(ulps(DType::bfloat16, 1, 1.0625) == 8);
    CHECK(ulps(DType::float64, 5e-324, -5e-324) == 2);
    CHECK(ulps(DType::float64, std::numeric_limits<double>::max(), infinity) == 1);
    CHECK(ulps(DType::float64, -infinity, infinity) == 2 * 0x7ff0000000000000U);
    CHECK_FALSE(between(DType::float64, {1}, {not_a_number}).ulps_place);
    CHECK(between(DType::float32, {1, 1}, {not_a_number, 1 + 0x1p-23}).largest_ulps == 1);

    const Difference mixed = difference_of(table_of({1}, DType::float64, {1 + 0x1p-30}),
                                           table_of({1}, DType::float32, {1}), {.ulps = 0});
    CHECK(mixed.ulp_dtype == DType::float32);
    CHECK(mixed.differing == 1);
    CHECK(mixed.largest_ulps == 0);
    CHECK(mixed.beyond == 0);
}

TEST_CASE("difference: integers of 64 bits are compared exactly whatever their signs") {
    const auto bytes = [](std::uint64_t value) {
        std::string text(8, '\0');
        std::memcpy(text.data(), &value, 8);
        return text;
    };
    const std::uint64_t high = std::uint64_t{1} << 63;
    const Table a = table_of_bytes({1}, DType::uint64, bytes(high + 1));
    const Table b = table_of_bytes({1}, DType::uint64, bytes(high));
    const Table negative = table_of_bytes({1}, DType::int64, bytes(high));
    CHECK(difference_of(a, b, {}).largest == 1);
    CHECK(difference_of(a, b, {.absolute = 1}).beyond == 0);
    CHECK_FALSE(difference_of(a, b, {}).ulp_dtype);
    CHECK(difference_of(b, negative, {}).largest == 0x1p64);
    CHECK(difference_of(b, negative, {}).largest_place->b == "-9223372036854775808");
}

TEST_CASE("difference: a tolerance is as wide as it says") {
    const auto beyond = [](const Tolerance& tolerance) {
        return between(DType::float64, {1.5, 100.5}, {1, 100}, tolerance).beyond;
    };
    CHECK(beyond({}) == 2);
    CHECK(beyond({.absolute = 0.5}) == 0);
    CHECK(beyond({.absolute = 0.49}) == 2);
    CHECK(beyond({.relative = 0.005}) == 1);
    CHECK(beyond({.relative = 0.5}) == 0);
    CHECK(beyond({.absolute = 0.25, .relative = 0.25}) == 0);
    CHECK(beyond({.ulps = std::uint64_t{1} << 51}) == 0);
}

TEST_CASE("difference: the reference of a relative tolerance is the second table") {
    CHECK(between(DType::float64, {0}, {1}, {.relative = 1}).beyond == 0);
    CHECK(between(DType::float64, {1}, {0}, {.relative = 1}).beyond == 1);
}

TEST_CASE("difference: the tolerance of positions grows along its axis") {
    const double unit = 0x1p-23;
    const Table a = table_of({3, 2}, DType::float64, {0, 0, unit, unit, 2 * unit, 2.5 * unit});
    const Table b = table_of({3, 2}, DType::float64, {0, 0, 0, 0, 0, 0});
    CHECK(difference_of(a, b, {.position = 1}).beyond == 1);
    CHECK(difference_of(a, b, {.position = 1.25}).beyond == 0);
    CHECK(difference_of(a, b, {.position = 1, .position_axis = 1}).beyond == 3);
}

TEST_CASE("difference: the tolerance of positions is that of the position, not of the index") {
    const double unit = 0x1p-23;
    const auto beyond = [=](const Axis& axis_of_a, const Axis& axis_of_b, Tolerance tolerance) {
        Table a = table_of({2, 3}, DType::float64, {0, 0, unit, 0, 4 * unit, 6 * unit});
        Table b = table_of({2, 3}, DType::float64, {0, 0, 0, 0, 0, 0});
        a.axes[1] = axis_of_a;
        b.axes[1] = axis_of_b;
        tolerance.position = 1;
        return difference_of(a, b, tolerance).beyond;
    };
    const auto at = [](std::vector<double> positions, std::int64_t rows_before = 0) {
        return Axis{.kind = AxisKind::position,
                    .rows_before = rows_before,
                    .positions = Positions(std::move(positions))};
    };
    const Axis unknown;
    CHECK(beyond(unknown, unknown, {}) == 3);
    CHECK(beyond(unknown, unknown, {.position_axis = 1}) == 2);
    CHECK(beyond(unknown, at({0, -4, -6}), {}) == 0);
    CHECK(beyond(at({0, -4, -6}), unknown, {}) == 0);
    CHECK(beyond(at({9, 9, 9}), at({0, 4, 5}), {}) == 1);
    CHECK(beyond(at({9, 9, 9}), at({0, 4, 5}), {.position_axis = 0}) == 3);
    CHECK(beyond(unknown, at({7}, 2), {}) == 1);
}

TEST_CASE("difference: is measured in units of float32 arithmetic at each position") {
    const auto units = [](const std::vector<double>& a) {
        return between(DType::float64, a, {1, 1, 1, 1}).float32_units;
    };
    CHECK(units({1, 1, 1, 1}) == 0);
    CHECK(units({1, 1, 1, 1 + 6 * 0x1p-23}) == 2);
    CHECK(units({1, 1 + 0x1p-23, 1, 1 - 6 * 0x1p-23}) == 2);
    CHECK(units({1 + 0x1p-50, 1, 1, 1}) == infinity);
}

TEST_CASE("difference: of tables without values or axes") {
    CHECK(difference_of(table_of({0, 3}, DType::float32, {}), table_of({0, 3}, DType::int8, {}), {})
              .values == 0);
    const Difference scalars =
        difference_of(table_of({}, DType::float32, {2}), table_of({}, DType::int8, {3}), {});
    CHECK(scalars.differing == 1);
    CHECK(scalars.largest_place->index.empty());
}

TEST_CASE("difference: does not depend on the number of threads") {
    const Table a = counting_table({5000, 64}, DType::float32);
    std::vector<double> values(5000 * 64);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i) + (i % 7 == 3 ? 0.5 : 0);
    }
    const Table b = table_of({5000, 64}, DType::float64, values);
    const int before = thread_count();
    for (const int threads : {1, 2, 7}) {
        limit_threads(threads);
        const Difference found = difference_of(a, b, {});
        CHECK(found.differing == 45714);
        CHECK(found.largest_place->index == Index{0, 3});
        CHECK(found.ulps_place->index == Index{0, 3});
    }
    limit_threads(before);
}

TEST_CASE("difference: subtracted tables have zeros where both are the same") {
    const Table a = table_of({1, 4}, DType::float32, {1, not_a_number, infinity, 3});
    const Table b = table_of({1, 4}, DType::float16, {1, not_a_number, infinity, 5});
    CHECK(read_rows(subtracted(a, b), {0, 1}) == std::vector<double>{0, 0, 0, -2});
}

TEST_CASE("reason: a shift of the rows is found in both directions") {
    CHECK(reason_of(matrix(20, 2), matrix(20, 0)) ==
          "Row r of A is row r + 2 of B, judging by the first rows.");
    CHECK(reason_of(matrix(20, 1), matrix(20, 0)) ==
          "Row r of A is row r + 1 of B, judging by the first rows.");
    CHECK(reason_of(matrix(20, 0), matrix(18, 1)) ==
          "A has 2 more rows; row r of A is row r - 1 of B, judging by the first rows.");
    CHECK(reason_of(matrix(20, 0), matrix(21, 0)) == "B has 1 more row; the first rows are equal.");
}

TEST_CASE("reason: an order of the channels is found, and together with a shift") {
    const auto reordered = [](std::int64_t first_row, bool is_exchanged) {
        std::vector<double> values;
        for (std::int64_t row = 0; row < 20; ++row) {
            for (int column = 0; column < 4; ++column) {
                values.push_back(std::sin(static_cast<double>(row + first_row) *
                                          ((is_exchanged ? column ^ 2 : column) + 1)));
            }
        }
        return table_of({20, 4}, DType::float32, values);
    };
    CHECK(reason_of(reordered(0, true), reordered(0, false)) ==
          "A is B, with its two halves exchanged, judging by the first rows.");
    CHECK(
        reason_of(reordered(2, true), reordered(0, false)) ==
        "Row r of A is row r + 2 of B, with its two halves exchanged, judging by the first rows.");
}

TEST_CASE("reason: a row of zeros in one of the tables is named") {
    std::vector<double> values = read_rows(matrix(20, 3), {0, 20});
    std::fill(values.begin() + 3, values.begin() + 6, 0.0);
    CHECK(reason_of(matrix(20, 3), table_of({20, 3}, DType::float32, values)) ==
          "A is B, but for row 1, which is zeros in one of them, judging by the first rows.");
}

TEST_CASE("reason: none is made up") {
    CHECK(reason_of(matrix(20, 0), matrix(20, 0)).empty());
    CHECK(reason_of(matrix(20, 0), matrix(20, 9)).empty());
    CHECK(reason_of(matrix(5, 0), matrix(3, 9)) == "A has 2 more rows.");
    // Every shift fits a table of one row again and again.
    const Table constant = table_of({20, 1}, DType::float32, std::vector<double>(20, 1));
    const Table other = table_of({20, 1}, DType::float32, std::vector<double>(20, 2));
    CHECK(reason_of(constant, other).empty());
    CHECK(reason_of(table_of({2}, DType::int8, {1, 2}), table_of({3}, DType::int8, {1, 2, 3}))
              .empty());
}

TEST_CASE("reason: shapes are transposed") {
    const auto of = [](const Shape& a, const Shape& b) {
        return reason_of(counting_table(a, DType::float32), counting_table(b, DType::float32));
    };
    CHECK(of({4, 3}, {3, 4}) ==
          "The shapes are transposed of each other: save array.T of one of them.");
    CHECK(of({4, 3}, {2, 6}).empty());
}
