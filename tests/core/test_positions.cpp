#include <doctest/doctest.h>

#include <atomic>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/parallel.h"
#include "core/positions.h"

using pegen::Positions;

namespace {

/// Progressions at the limits of the range and precision of doubles, of up to 40 rows: some are
/// exact, some are rounded in the last row or in many, and some repeat.
std::vector<Positions> corners() {
    std::vector<Positions> all;
    for (const double start : {0x1p53 - 9, 0x1p53 - 8, 0x1p52 - 3, 0x1p52, -0x1p52, -0x1p53, 0.1}) {
        for (const double step : {1.0, -1.0, 0.5, -0.25, 0.75, 3.0, 0x1p-60, 0.1}) {
            for (std::int64_t count = 1; count <= 40; ++count) {
                all.emplace_back(start, step, count);
                all.push_back(all.back().reversed());
            }
        }
    }
    return all;
}

}  // namespace

TEST_CASE("positions: a progression starts at start and goes by step") {
    const Positions positions(-2, 0.5, 5);
    CHECK(positions[0] == -2);
    CHECK(positions[4] == 0);
    CHECK(positions.largest() == 2);
}

TEST_CASE("positions: each is the double nearest to the exact one") {
    CHECK(Positions(0x1p53 - 10, 1, 11)[10] == 0x1p53);
    // The significand of a long double has 64 bits, so it holds these products and sums exactly.
    const auto tenth = static_cast<long double>(0.1);
    for (std::int64_t i = 0; i < 1000; ++i) {
        CHECK(Positions(0.1, 0.1, 1000)[i] ==
              static_cast<double>(tenth + static_cast<long double>(i) * tenth));
    }
}

TEST_CASE("positions: reversed begin with the last") {
    CHECK(Positions(0, 1, 4).reversed()[0] == 3);
    CHECK(Positions(std::vector<double>{5, 7, 9}).reversed()[0] == 9);
    CHECK(Positions(std::vector<double>{5, 7, 9}).reversed().reversed()[0] == 5);
}

TEST_CASE("positions: read together, they are the same as one by one") {
    std::vector<Positions> all = corners();
    all.emplace_back(std::vector<double>{3, -0.5, 7, 1e300, 2});
    all.push_back(all.back().reversed());
    for (const Positions& positions : all) {
        for (std::int64_t first = 0; first < positions.size(); first += 3) {
            std::vector<double> some(positions.size() - first);
            positions.read(first, some);
            for (std::int64_t i = 0; i < std::ssize(some); ++i) {
                REQUIRE(some[i] == positions[first + i]);
            }
        }
    }
}

TEST_CASE("positions: an exact progression has no term that is rounded, the last one neither") {
    std::int64_t exact = 0;
    for (const Positions& positions : corners()) {
        const auto progression = positions.exact_progression();
        if (!progression) continue;
        ++exact;
        for (std::int64_t row = 0; row < positions.size(); ++row) {
            // The significand of a long double has 64 bits, so it holds these sums exactly.
            const long double term = static_cast<long double>(progression->start) +
                                     static_cast<long double>(row) * progression->step;
            REQUIRE(static_cast<long double>(positions[row]) == term);
        }
    }
    CHECK(exact > 0);
    CHECK_FALSE(Positions(0x1p52 - 3, 0.5, 8).exact_progression());  // the last sum is 2^52 + 1/2
    CHECK(Positions(0x1p52 - 3, 0.5, 6).exact_progression());
}

TEST_CASE("positions: find gives the first of the rows that have a position") {
    for (const Positions& positions : corners()) {
        for (std::int64_t row = positions.size() - 1; row >= 0; --row) {
            const std::int64_t found = positions.find(positions[row]);
            REQUIRE(found >= 0);
            REQUIRE(found <= row);
            REQUIRE(positions[found] == positions[row]);
            if (found > 0) REQUIRE(positions[found - 1] != positions[row]);
        }
    }
}

TEST_CASE("positions: find gives the row of a position") {
    CHECK(Positions(2, 1, 10).find(5) == 3);
    CHECK(Positions(2, 1, 10).find(1) == -1);
    CHECK(Positions(2, 1, 10).find(12) == -1);
    CHECK(Positions(0, 2, 10).find(5) == -1);
    CHECK(Positions(0, 1, 10).reversed().find(1) == 8);
    CHECK(Positions(std::vector<double>{0, 1, 10}).find(10) == 2);
    CHECK(Positions(std::vector<double>{0, 1, 10}).find(2) == -1);
    CHECK(Positions(3, 0, 10).find(3) == 0);
    CHECK(Positions(3, 0, 10).find(4) == -1);
}

namespace {

/// Position i is i / 2 - 100.
void read_halves(std::int64_t first, std::span<double> out) {
    for (double& position : out) position = static_cast<double>(first++) / 2 - 100;
}

}  // namespace

TEST_CASE("positions: a list that is not kept has the positions that are read") {
    constexpr std::int64_t count = 30001;
    std::atomic<std::int64_t> read = 0;
    const Positions positions(count, [&](std::int64_t first, std::span<double> out) {
        read += std::ssize(out);
        read_halves(first, out);
    });
    CHECK(read == count);
    CHECK(positions.largest() == 14900);
    CHECK(positions.lowest_bit() == -1);
    CHECK(positions.find(0) == 200);
    CHECK_FALSE(positions.progression());
    const Positions reversed = positions.reversed();
    std::atomic<std::int64_t> wrong = 0;
    pegen::parallel_for(count, [&](std::int64_t row) {
        const double expected = static_cast<double>(row) / 2 - 100;
        wrong += positions[row] != expected || reversed[count - 1 - row] != expected ? 1 : 0;
    });
    CHECK(wrong == 0);
}

TEST_CASE("positions: of two lists that are not kept, each has its own") {
    const Positions halves(9000, read_halves);
    const Positions fours(9000, [](std::int64_t, std::span<double> out) {
        for (double& position : out) position = 4;
    });
    for (const std::int64_t row : {0, 8999, 1}) {
        CHECK(halves[row] == static_cast<double>(row) / 2 - 100);
        CHECK(fours[row] == 4);
    }
}

TEST_CASE("positions: a list that cannot be read any more throws, whatever was read before") {
    bool fails = false;
    const Positions positions(9000, [&](std::int64_t first, std::span<double> out) {
        if (fails) throw std::runtime_error("lost");
        read_halves(first, out);
    });
    CHECK(positions[0] == -100);
    fails = true;
    CHECK_THROWS_AS(positions[8999], std::runtime_error);
    CHECK_THROWS_AS(positions[0], std::runtime_error);
    fails = false;
    CHECK(positions[0] == -100);
}
