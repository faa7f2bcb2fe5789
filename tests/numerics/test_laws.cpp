#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "numerics/sinusoid.h"

using namespace pegen;
using namespace pegen::numerics;

// Tests that tables obey the laws of theory, within the error of rounding to float.

namespace {

constexpr std::size_t d = 512;

/// A value of [-1, 1] is off by half of the spacing of floats below 1, at most.
constexpr double rounding = 0x1p-25;
/// A bound of the error of the doubles here, except for sums over channels.
constexpr double slack = 0x1p-50;

/// Rows first ... first + count - 1 of the table of the paper, d values each.
std::vector<double> rows_from(std::int64_t first, std::int64_t count, DType dtype) {
    const Frequencies frequencies(
        {.base = 10000, .step = 2, .width = d, .shift = 0, .scale = 1, .count = d / 2});
    const std::int64_t rows = first + count;
    Table table;
    table.shape = Shape{rows, d};
    table.dtype = dtype;
    table.rows = sinusoid_rows(Positions(0, 1, rows), frequencies, interleaved(d), 1, dtype);
    return read_rows(table, {first, count});
}

/// Returns the rotation by `distance` positions: cos and sin of distance * frequency, exact to a
/// double.
std::vector<double> rotation_by(std::int64_t distance) {
    return rows_from(distance, 1, DType::float64);
}

/// Returns the largest difference between a channel of PE(t + distance) and of R(distance) PE(t),
/// for t = first ... first + count - 1.
double largest_miss(std::int64_t first, std::int64_t distance, std::size_t count) {
    const auto rows = static_cast<std::int64_t>(count);
    const std::vector<double> from = rows_from(first, rows, DType::float32);
    const std::vector<double> to = rows_from(first + distance, rows, DType::float32);
    const std::vector<double> turn = rotation_by(distance);
    double largest = 0;
    for (std::size_t i = 0; i < from.size(); i += 2) {
        const double sin = turn[i % d];
        const double cos = turn[i % d + 1];
        largest = std::max({largest, std::fabs(to[i] - (from[i] * cos + from[i + 1] * sin)),
                            std::fabs(to[i + 1] - (from[i + 1] * cos - from[i] * sin))});
    }
    return largest;
}

/// Returns PE(t).PE(t + distance) for t = first ... first + count - 1.
std::vector<double> dot_products(std::int64_t first, std::int64_t distance, std::size_t count) {
    const auto rows = static_cast<std::int64_t>(count);
    const std::vector<double> from = rows_from(first, rows, DType::float32);
    const std::vector<double> to = rows_from(first + distance, rows, DType::float32);
    std::vector<double> products(count);
    for (std::size_t i = 0; i < from.size(); ++i) products[i / d] += from[i] * to[i];
    return products;
}

struct Stretch {
    std::int64_t first;
    std::int64_t distance;
};

constexpr Stretch stretches[]{{0, 1},          {0, 4096},         {1000, 63},
                              {65500, 100},    {1000000, 777777}, {16777000, 1},
                              {1LL << 40, 65}, {12345, 1LL << 45}};

}  // namespace

TEST_CASE("laws: PE of t + D is PE of t turned by D") {
    // Three values are rounded: e' of PE(t + D), and those of the pair, which R(D) multiplies with
    // a cosine and a sine: |e'| + |e cos| + |e sin| <= (1 + sqrt 2) 2^-25 = 7.195e-8.
    const double bound = (1 + std::sqrt(2.0)) * rounding + slack;
    for (const Stretch& stretch : stretches) {
        CAPTURE(stretch.first);
        CAPTURE(stretch.distance);
        const double miss = largest_miss(stretch.first, stretch.distance, 500);
        CHECK(miss <= bound);
        CHECK(miss > rounding);  // floats that are rounded, not doubles
    }
}

TEST_CASE("laws: the dot product of two rows is the sum of the cosines of their distance") {
    // An error of 2^-25 in each value adds 2^-25 (|sin| + |cos|) of the other row, at most sqrt 2
    // 2^-25 for a pair, from both rows: 2 sqrt 2 2^-25 for each of d / 2 pairs.
    const double bound = std::sqrt(2.0) * d * rounding + d * slack;
    for (const Stretch& stretch : stretches) {
        CAPTURE(stretch.first);
        CAPTURE(stretch.distance);
        const std::vector<double> turn = rotation_by(stretch.distance);
        double sum_of_cosines = 0;
        for (std::size_t i = 1; i < d; i += 2) sum_of_cosines += turn[i];
        for (const double product : dot_products(stretch.first, stretch.distance, 500)) {
            CHECK(std::fabs(product - sum_of_cosines) <= bound);
        }
    }
}

TEST_CASE("laws: the dot product of two rows depends on their distance alone") {
    // Not the worst case, which is 4.3e-5: rounding errors of both rows, of a deviation of 2^-24 /
    // sqrt 12 at most, times the other row, whose length is sqrt(d / 2), make one of 3.9e-7. The
    // bound is 25 of them.
    for (const std::int64_t distance : {1, 10, 1000, 100000}) {
        CAPTURE(distance);
        std::vector<double> products;
        for (const std::int64_t first : {0LL, 100000LL, 16777000LL, 1LL << 40}) {
            std::ranges::copy(dot_products(first, distance, 500), std::back_inserter(products));
        }
        const auto [least, most] = std::ranges::minmax(products);
        CHECK(most - least < 1e-5);
    }
}

TEST_CASE("laws: every pair lies on the unit circle") {
    // Errors of 2^-25 in both coordinates move a point by sqrt 2 2^-25 at most.
    const double bound = std::sqrt(2.0) * rounding + slack;
    for (const Stretch& stretch : stretches) {
        const std::vector<double> rows = rows_from(stretch.first, 500, DType::float32);
        double largest = 0;
        for (std::size_t i = 0; i < rows.size(); i += 2) {
            largest = std::max(largest, std::fabs(std::hypot(rows[i], rows[i + 1]) - 1));
        }
        CAPTURE(stretch.first);
        CHECK(largest <= bound);
    }
}
