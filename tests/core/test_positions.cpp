#include <doctest/doctest.h>

#include <vector>

#include "core/positions.h"

using pegen::Positions;

TEST_CASE("positions: a progression starts at start and goes by step") {
    const Positions positions(-2, 0.5, 5);
    CHECK(positions[0] == -2);
    CHECK(positions[4] == 0);
    CHECK(positions.largest() == 2);
}

TEST_CASE("positions: each is the double nearest to the exact one") {
    CHECK(Positions(0x1p53 - 10, 1, 11)[10] == 0x1p53);
    // With its 64 bits a long double holds these products and sums exactly.
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
