#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "figure/fake_table.h"
#include "figure/limits.h"

using namespace pegen;

TEST_CASE("limits: the smallest and the largest finite value") {
    CHECK(finite_limits(table_of({{3, NAN, -1}, {INFINITY, 7, -INFINITY}})) == Limits{-1, 7});
}

TEST_CASE("limits: a table without finite values has none, and is drawn from 0 to 1") {
    CHECK(finite_limits(table_of({{NAN}})) == no_limits);
    CHECK(or_any(no_limits) == Limits{0, 1});
}

TEST_CASE("limits: every value counts, wherever it is among many") {
    for (const std::size_t size : {1U, 15U, 16U, 17U, 40U}) {
        for (std::size_t place = 0; place < size; ++place) {
            std::vector<double> values(size, NAN);
            values[size - 1 - place] = -INFINITY;
            values[place] = 3;
            REQUIRE(limits_of(values) == Limits{3, 3});
        }
    }
    CHECK(limits_of({}) == no_limits);
    CHECK(limits_of(std::vector<double>{INFINITY, -INFINITY, NAN}) == no_limits);
    constexpr double largest = std::numeric_limits<double>::max();
    CHECK(limits_of(std::vector<double>{largest, -largest}) == Limits{-largest, largest});
}

TEST_CASE("limits: every block of a long table counts") {
    const Table table = table_from(1'000'001, 3, [](std::int64_t row, std::int64_t column) {
        if (row == 1'000'000 && column == 2) return 9.0;
        return row == 499'999 && column == 0 ? -9.0 : 0.0;
    });
    CHECK(finite_limits(table) == Limits{-9, 9});
}

// These are the limits of a colour bar in matplotlib 3.6.3.
TEST_CASE("limits: equal ends are moved apart by a tenth") {
    CHECK(set_apart({2, 2}) == Limits{1.8, 2.2});
    CHECK(set_apart({-2, -2}) == Limits{-2.2, -1.8});
    CHECK(set_apart({0, 0}) == Limits{-0.1, 0.1});
    CHECK(set_apart({-1, 1}) == Limits{-1, 1});
    CHECK(std::isfinite(set_apart({1.79e308, 1.79e308}).high));
}
