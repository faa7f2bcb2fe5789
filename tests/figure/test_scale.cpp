#include <doctest/doctest.h>

#include <limits>

#include "figure/scale.h"

using namespace pegen;

TEST_CASE("scale: the cells of a heatmap are 1 wide, row 0 is on top") {
    const Scale columns = cells_rightwards({{}, 4});
    CHECK(share_of(-0.5, columns) == 0);
    CHECK(share_of(0, columns) == 0.125);
    CHECK(share_of(3.5, columns) == 1);
    const Scale rows = cells_downwards({{}, 4});
    CHECK(share_of(0, rows) == 0.875);
    CHECK(share_of(3.5, rows) == 0);
}

TEST_CASE("scale: margins are a twentieth on both sides, also of powers") {
    const Scale values = with_margins(ScaleKind::values, {-1, 1});
    CHECK(values.first == doctest::Approx(-1.1));
    CHECK(values.last == doctest::Approx(1.1));
    const Scale powers = with_margins(ScaleKind::powers, {1, 1e20});
    CHECK(powers.first == doctest::Approx(0.1));
    CHECK(powers.last == doctest::Approx(1e21));
}

TEST_CASE("scale: powers are equally far apart") {
    const Scale powers{ScaleKind::powers, 1, 1e4};
    CHECK(share_of(1, powers) == 0);
    CHECK(share_of(10, powers) == doctest::Approx(0.25));
    CHECK(share_of(1000, powers) == doctest::Approx(0.75));
}

TEST_CASE("scale: symlog is linear up to the threshold, and logarithmic beyond") {
    CHECK(symlog(0, 0.01) == 0);
    CHECK(symlog(0.005, 0.01) == 0.5);
    CHECK(symlog(-0.01, 0.01) == -1);
    CHECK(symlog(-1, 0.01) == doctest::Approx(-2.8));
    const Scale both{ScaleKind::symlog, -100, 100, {}, 1};
    CHECK(share_of(0, both) == 0.5);
    CHECK(share_of(100, both) == 1);
    CHECK(share_of(10, both) - share_of(1, both) ==
          doctest::Approx(share_of(100, both) - share_of(10, both)));
}

TEST_CASE("scale: the inverse of symlog gives the value back, but for rounding") {
    for (const double value : {0.0, 0.5, 1.0, -3.0, 1e6, -1e-3, 2e300}) {
        CAPTURE(value);
        CHECK(inverse_symlog(symlog(value, 0.01), 0.01) == doctest::Approx(value));
    }
}

TEST_CASE("scale: margins around the largest doubles end where doubles end") {
    constexpr double most = std::numeric_limits<double>::max();
    const Scale scale = with_margins(ScaleKind::values, {-most, 0.99 * most});
    CHECK(scale.first == -most);
    CHECK(scale.last == most);
    CHECK(share_of(0, scale) == 0.5);
}

TEST_CASE("scale: ends as far apart as doubles can be have a middle") {
    constexpr double largest = std::numeric_limits<double>::max();
    CHECK(share_of(0, {ScaleKind::values, -largest, largest}) == 0.5);
}

TEST_CASE("scale: ticks are those of its kind, in whichever direction it runs") {
    CHECK(ticks_of({ScaleKind::values, 0, 2}, 4).at(1).label == "0.5");
    CHECK(ticks_of({ScaleKind::indices, 0, 2}, 4).at(1).label == "1");
    CHECK(ticks_of({ScaleKind::powers, 1, 1e3}, 4).at(0).label == "10\u2070");
    CHECK(ticks_of(cells_downwards({{}, 128}), 9).at(1).label == "20");
}
