#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "evidence/distribution.h"
#include "evidence/sample_of.h"
#include "identify/array.h"

using namespace pegen;

namespace {

constexpr std::int64_t rows = 40, columns = 30;

/// What is said of the values at (row, column).
std::string said_of(const std::function<double(std::int64_t, std::int64_t)>& value) {
    trials::Array array{{rows, columns}, DType::float64, {}};
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t c = 0; c < columns; ++c) array.values.push_back(value(row, c));
    }
    return evidence::distribution_of(sample_of(table_of(array)));
}

}  // namespace

TEST_CASE("distribution: draws are named, of one distribution in all rows and columns only") {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    const auto draw = [&](std::int64_t, std::int64_t) { return 0.02 * normal(random); };
    CHECK(said_of(draw) == "normal with mean 0 and deviation 0.02");
    CHECK(said_of([&](auto, auto) { return uniform(random); }) == "uniform from -0.5 to 0.5");
    CHECK(said_of([&](auto, auto c) { return c % 2 == 0 ? draw(0, 0) : 3 * draw(0, 0); }) == "");
    CHECK(said_of([&](auto row, auto) { return row < 20 ? draw(0, 0) : 3 * draw(0, 0); }) == "");
    CHECK(said_of([&](auto row, auto) { return draw(0, 0) + 0.02 * double(row % 3); }) == "");
    CHECK(said_of([&](auto, auto c) { return draw(0, 0) + 0.02 * double(c % 3); }) == "");
    // Tails that initializers do not have.
    CHECK(said_of([&](auto, auto) { return std::pow(normal(random), 3); }) == "");
    double last = 0;
    CHECK(said_of([&](auto, auto) { return last += draw(0, 0); }) == "");
    // So many draws in float64 do not repeat.
    CHECK(said_of([&](auto, auto) { return std::rint(100 * normal(random)) / 100; }) == "");
}
