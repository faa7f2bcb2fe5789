#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/distribution.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/identify/array.h"

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

using namespace pegen;
using evidence::distribution_of;

namespace {

constexpr std::int64_t rows = 40, columns = 30;

/// Returns the description of an array whose values are value(row, column).
std::string said_of(const std::function<double(std::int64_t, std::int64_t)>& value) {
    trials::Array array{{rows, columns}, DType::float64, {}};
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t c = 0; c < columns; ++c) array.values.push_back(value(row, c));
    }
    return distribution_of(sample_of(table_of(array)));
}

}  // namespace

TEST_CASE("distribution_of: draws are named, of one distribution in all rows and columns only") {
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
    // Draws of two widths still have usual tails if they are uniform.
    const auto narrow = [&] { return uniform(random) / 3; };
    CHECK(said_of([&](auto, auto c) { return c % 2 == 0 ? uniform(random) : narrow(); }) == "");
    CHECK(said_of([&](auto row, auto) { return row % 2 == 0 ? uniform(random) : narrow(); }) == "");
    // Initializers do not make such tails.
    CHECK(said_of([&](auto, auto) { return std::pow(normal(random), 3); }) == "");
    double last = 0;
    CHECK(said_of([&](auto, auto) { return last += draw(0, 0); }) == "");
    // Draws in float64 would not repeat so often.
    CHECK(said_of([&](auto, auto) { return std::rint(100 * normal(random)) / 100; }) == "");
}

TEST_CASE("may_be_draws: two rows or columns are enough to be of different widths") {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    constexpr std::size_t length = 200;
    std::vector<double> alike, rows_differ, columns_differ;
    for (std::size_t i = 0; i < 2 * length; ++i) {
        const double value = uniform(random);
        alike.push_back(value);
        rows_differ.push_back(i < length ? value : value / 3);
        columns_differ.push_back(i % 2 == 0 ? value : value / 3);
    }
    const evidence::Precision doubles = evidence::precision_of(DType::float64);
    CHECK(evidence::may_be_draws(alike, length, doubles));
    CHECK(evidence::may_be_draws(alike, 2, doubles));
    CHECK(!evidence::may_be_draws(rows_differ, length, doubles));
    CHECK(!evidence::may_be_draws(columns_differ, 2, doubles));
}

TEST_CASE("distribution_of: draws are told from structure, and their numbers are the simplest") {
    const auto distribution = [](const char* command) {
        return distribution_of(sample_of(table_of(command)));
    };
    CHECK(distribution("learned --len 64 --d 64 --init normal:0,0.02 --seed 20000001") ==
          "normal with mean 0 and deviation 0.02");
    CHECK(distribution("learned --len 64 --d 64 --init uniform:0,1") == "uniform from 0 to 1");
    CHECK(distribution("learned --len 64 --d 64 --init trunc-normal:0,1,-2,2") ==
          "normal, truncated, with mean 0 and deviation 0.9");
    CHECK(distribution("sinusoid --len 64 --d 64").empty());
    CHECK(distribution("alibi --len 64").empty());
}

TEST_CASE("distribution_of: no seed or shape makes draws those of another distribution") {
    struct Drawn {
        std::string_view init;
        std::string_view begins;
    };
    constexpr std::array kinds{
        Drawn{"normal:0,0.02", "normal"}, Drawn{"uniform:-0.05,0.05", "uniform"},
        Drawn{"xavier-uniform", "uniform"}, Drawn{"trunc-normal:0,0.02,-0.04,0.04", "normal, "}};
    int tried = 0, wrong = 0, plain = 0;
    for (const auto& [len, d] : {std::pair{32, 8}, {39, 13}, {64, 16}, {128, 64}}) {
        for (const Drawn& kind : kinds) {
            for (int seed = 0; seed < 40; ++seed) {
                const std::string found = distribution_of(
                    sample_of(table_of(fmt::format("learned --len {} --d {} --init {} --seed {}",
                                                   len, d, kind.init, 30000000 + seed))));
                ++tried;
                if (!found.starts_with(kind.begins)) ++wrong;
                // With few draws it is hardly visible whether a distribution is truncated, and the
                // answer says so.
                if (kind.init == kinds.front().init && found.starts_with("normal, truncated"))
                    ++plain;
            }
        }
    }
    CAPTURE(tried);
    CHECK(100 * wrong <= tried);
    CHECK(100 * plain <= tried);
}
