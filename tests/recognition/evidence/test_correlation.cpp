#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "recognition/evidence/distribution.h"

using namespace pegen::evidence;

TEST_CASE("correlation: of lines, of independent numbers, and where nothing can be said") {
    const std::vector<double> rising{1, 2, 3, 4}, falling{8, 6, 4, 2}, even{1, -1, -1, 1};
    CHECK(correlation_of(rising, rising) == doctest::Approx(1));
    CHECK(correlation_of(rising, falling) == doctest::Approx(-1));
    CHECK(correlation_of(rising, even) == doctest::Approx(0));
    CHECK(correlation_of(rising, std::vector<double>(4, 2.0)) == 1);
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(correlation_of(rising, std::vector<double>{1, 2, 3, infinite}) == 1);
}

TEST_CASE("correlation: rows of waves are alike, also within noise, and random rows are not") {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    constexpr std::int64_t rows = 200, columns = 32;
    std::vector<double> waves, noisy, noise;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t c = 0; c < columns; ++c) {
            waves.push_back(std::sin(static_cast<double>(row) / static_cast<double>(1 + c)));
            noisy.push_back(waves.back() + 0.3 * normal(random));
            noise.push_back(normal(random));
        }
    }
    CHECK(are_rows_alike(waves, columns));
    CHECK(are_rows_alike(noisy, columns));
    CHECK_FALSE(are_rows_alike(noise, columns));
    CHECK(are_rows_alike(std::vector<double>(columns), columns));
}
