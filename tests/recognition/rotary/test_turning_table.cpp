#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "recognition/rotary/turning_table.h"

using namespace pegen::recognition;

TEST_CASE("turn solver: angles at growing places tell a frequency more and more exactly") {
    std::vector<TurnEquation> equations;
    for (const double place : {1.0, 2.0, 5.0, 20.0, 100.0, 1000.0}) {
        equations.push_back({place, angle_of_cosine({std::cos(0.1234 * place), 1e-6})});
    }
    const std::vector<pegen::evidence::Bounds> found = solve({0, 1}, equations, 0);
    REQUIRE(found.size() == 1);
    CHECK(found[0].contains(0.1234));
    CHECK(found[0].high - found[0].low < 1e-7);
}

TEST_CASE("turn solver: a sine alone leaves two angles") {
    const std::vector<TurnEquation> one{{1, angle_of_sine({0.5, 1e-9})}};
    const std::vector<pegen::evidence::Bounds> found = solve({0, std::numbers::pi}, one, 0);
    REQUIRE(found.size() == 2);
    CHECK(found[0].contains(std::numbers::pi / 6));
    CHECK(found[1].contains(std::numbers::pi * 5 / 6));
}

TEST_CASE("turn solver: equations that contradict each other have no solution") {
    const std::vector<TurnEquation> equations{{1, angle_of_both({1, 1e-6}, {0, 1e-6})},
                                              {1, angle_of_both({0, 1e-6}, {1, 1e-6})}};
    CHECK(solve({0, 1}, equations, 0).empty());
}

TEST_CASE("turn solver: an equation that allows too many stretches is passed over") {
    const std::vector<TurnEquation> equations{{1e6, angle_of_cosine({0.5, 1e-9})},
                                              {1, angle_of_cosine({0.5, 1e-9})}};
    const std::vector<pegen::evidence::Bounds> found =
        solve({0, std::numbers::pi}, equations, 0, 16);
    REQUIRE(found.size() == 1);
    CHECK(found[0].contains(std::numbers::pi / 3));
}
