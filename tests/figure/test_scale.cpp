#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>

#include "figure/scale.h"

using namespace pegen;

namespace {

Positions list(std::vector<double> positions) { return Positions(std::move(positions)); }

AxisOfTable with_positions(Positions positions, std::int64_t rows_before = 0) {
    const std::int64_t extent = rows_before + positions.size();
    return {{.kind = AxisKind::position, .rows_before = rows_before, .positions = positions},
            extent};
}

/// Returns the ticks of a heatmap's rows: "row:label ...".
std::string ticks(const AxisOfTable& axis, int intervals = 9) {
    std::string all;
    const Limits ends{-0.5, static_cast<double>(axis.extent) - 0.5};
    for (const Tick& tick : position_ticks(axis, ends, intervals)) {
        all += fmt::format("{}{}:{}", all.empty() ? "" : " ", tick.value, tick.label);
    }
    return all;
}

}  // namespace

TEST_CASE("axis positions: without positions, or with 0, 1, 2, ..., ticks are those of indices") {
    for (const std::int64_t rows : {1, 2, 3, 7, 20, 200, 400, 12345}) {
        for (int intervals = 1; intervals <= 9; ++intervals) {
            const Limits ends{-0.5, static_cast<double>(rows) - 0.5};
            std::string expected;
            for (const Tick& tick : index_ticks(ends, intervals)) {
                expected +=
                    fmt::format("{}{}:{}", expected.empty() ? "" : " ", tick.value, tick.label);
            }
            CAPTURE(expected);
            CHECK(ticks({{}, rows}, intervals) == expected);
            CHECK(ticks(with_positions(Positions(0, 1, rows)), intervals) == expected);
            std::vector<double> numbers;
            for (std::int64_t row = 0; row < rows; ++row)
                numbers.push_back(static_cast<double>(row));
            CHECK(ticks(with_positions(list(numbers)), intervals) == expected);
        }
    }
}

TEST_CASE("axis positions: names are the labels of their indices, of all or of every so many") {
    const Axis axis{.index_names = {"the", "cat", "sat", "on", "it"}};
    CHECK(ticks({axis, 5}, 9) == "0:the 1:cat 2:sat 3:on 4:it");
    CHECK(ticks({axis, 5}, 3) == "0:the 2:sat 4:it");
    CHECK(ticks({axis, 5}, 1) == "0:the 4:it");
    // The last name is not left out alone.
    const Axis ten{.index_names = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}};
    CHECK(ticks({ten, 10}, 5) == "0:a 3:d 6:g 9:j");
}

TEST_CASE("axis positions: ticks are at round positions, wherever the table begins") {
    CHECK(ticks(with_positions(Positions(1000, 1, 400))) ==
          "0:1000 50:1050 100:1100 150:1150 200:1200 250:1250 300:1300 350:1350");
    CHECK(ticks(with_positions(Positions(1003, 1, 100))) ==
          "17:1020 37:1040 57:1060 77:1080 97:1100");
    CHECK(ticks(with_positions(Positions(-2, 1, 5))) == "0:\u22122 1:\u22121 2:0 3:1 4:2");
    CHECK(ticks(with_positions(Positions(5e6, 1, 3))) == "0:5000000 1:5000001 2:5000002");
}

TEST_CASE("axis positions: steps that are not whole have labels with fractions where needed") {
    CHECK(ticks(with_positions(Positions(0, 0.5, 20))) == "0:0 4:2 8:4 12:6 16:8");
    CHECK(ticks(with_positions(Positions(0, 0.5, 4))) == "0:0.0 1:0.5 2:1.0 3:1.5");
    CHECK(ticks(with_positions(Positions(0, 0.1, 31))) ==
          "0:0.0 5:0.5 10:1.0 15:1.5 20:2.0 25:2.5 30:3.0");
}

TEST_CASE("axis positions: reversed positions run the other way") {
    CHECK(ticks(with_positions(Positions(0, 1, 11).reversed())) == "10:0 8:2 6:4 4:6 2:8 0:10");
    CHECK(ticks(with_positions(Positions(5, -1, 3))) == "2:3 1:4 0:5");
}

TEST_CASE("axis positions: if a round position is not that of a row, ticks are at round rows") {
    CHECK(ticks(with_positions(Positions(0, 3, 40))) ==
          "0:0 5:15 10:30 15:45 20:60 25:75 30:90 35:105");
    CHECK(ticks(with_positions(Positions(0.25, 1, 4))) == "0:0.25 1:1.25 2:2.25 3:3.25");
    CHECK(ticks(with_positions(Positions(7, 0, 3))) == "0:7 1:7 2:7");
}

TEST_CASE("axis positions: the ticks of a list are at round rows") {
    CHECK(ticks(with_positions(list({0, 10, 1000}))) == "0:0 1:10 2:1000");
    CHECK(ticks(with_positions(list({0, 10, 1000}).reversed())) == "0:1000 1:10 2:0");
    CHECK(ticks(with_positions(list({0.5, 10, -3}))) == "0:0.5 1:10.0 2:\u22123.0");
    CHECK(ticks(with_positions(list({1e-20, 1, 1e300}))) == "0:1e\u221220 1:1 2:1e300");
    CHECK(ticks(with_positions(list({42}))) == "0:42");
    std::vector<double> squares;
    for (double i = 0; i < 20; ++i) squares.push_back(i * i);
    CHECK(ticks(with_positions(list(squares))) == "0:0 5:25 10:100 15:225");
}

TEST_CASE("axis positions: rows before the first position have no tick") {
    CHECK(ticks(with_positions(Positions(0, 1, 4), 1)) == "1:0 2:1 3:2 4:3");
    CHECK(ticks(with_positions(Positions(1000, 1, 400), 2)) ==
          "2:1000 52:1050 102:1100 152:1150 202:1200 252:1250 302:1300 352:1350");
    CHECK(ticks(with_positions(list({0, 10, 1000}), 2)) == "2:0 3:10 4:1000");
    CHECK(ticks({{.rows_before = 1}, 5}) == "1:0 2:1 3:2 4:3");
    CHECK(ticks({{.rows_before = 3}, 3}) == "");
}

TEST_CASE("axis positions: positions as far apart or as close as doubles can be have ticks") {
    constexpr double largest = std::numeric_limits<double>::max();
    CHECK(ticks(with_positions(list({-largest, largest}))).starts_with("0:\u22121.79"));
    CHECK(ticks(with_positions(Positions(-largest, largest, 3))).starts_with("0:\u22121.79"));
    CHECK_NOTHROW(ticks(with_positions(Positions(1e300, 1e290, 5))));
    CHECK_NOTHROW(ticks(with_positions(Positions(1, 0x1p-52, 5))));
    CHECK_NOTHROW(ticks(with_positions(Positions(0, 5e-324, 5))));
}

TEST_CASE("axis positions: equal steps are found, of decimals too") {
    const auto steps = [](Positions positions) { return equal_steps(with_positions(positions)); };
    CHECK(steps(Positions(3, 0.1, 1000))->step == 0.1);
    CHECK(steps(Positions(3, 2, 4).reversed())->start == 9);
    CHECK(steps(Positions(3, 2, 4).reversed())->step == -2);
    CHECK(steps(list({0.1, 0.2, 0.3}))->step == doctest::Approx(0.1));
    CHECK(steps(list({4, 4}))->step == 0);
    CHECK_FALSE(steps(list({0, 10, 1000})));
    CHECK_FALSE(steps(list({0, 1, 2, 3.001})));
    CHECK(equal_steps({{}, 4})->step == 1);
}

namespace {

/// Returns the ticks of points of a grid: labels with their indices, minor ticks as "'".
std::string grid_ticks_of(Axis axis, int intervals = 9) {
    axis.kind = AxisKind::point;
    std::int64_t count = 1;
    for (const std::int64_t extent : axis.extents) count *= extent;
    std::string all;
    const AxisOfTable whole{axis, axis.rows_before + count};
    for (const Tick& tick :
         position_ticks(whole, {-0.5, static_cast<double>(whole.extent) - 0.5}, intervals)) {
        if (!all.empty()) all += ' ';
        all += tick.is_minor ? "'" : fmt::format("{}:{}", tick.value, tick.label);
    }
    return all;
}

}  // namespace

TEST_CASE("axis positions: points of a grid have ticks where its rows begin") {
    CHECK(grid_ticks_of({.extents = {4, 20}}) == "0:0 20:20 40:40 60:60");
    CHECK(grid_ticks_of({.extents = {14, 14}}, 7) ==
          "0:0 ' 28:28 ' 56:56 ' 84:84 ' 112:112 ' "
          "140:140 ' 168:168 '");
    CHECK(grid_ticks_of({.extents = {4, 20}}, 1) == "0:0 ' 40:40 '");
    // A row of a class token comes before the points.
    CHECK(grid_ticks_of({.rows_before = 1, .extents = {3, 5}}) == "1:0 6:5 11:10");
    // With points ordered by columns, the first axis runs fastest.
    CHECK(grid_ticks_of({.extents = {4, 2}, .is_by_columns = true}) == "0:0 4:4");
}

TEST_CASE("axis positions: ticks of merged axes are labelled with the indices of the table") {
    CHECK(grid_ticks_of({.extents = {3, 20}, .is_merged = true}) == "0:(0, 0) 20:(1, 0) 40:(2, 0)");
    CHECK(grid_ticks_of({.extents = {2, 2, 5}, .is_merged = true}) ==
          "0:(0, 0, 0) 5:(0, 1, 0) 10:(1, 0, 0) 15:(1, 1, 0)");
}

TEST_CASE("axis positions: ticks of a video stand at the same rows of each frame") {
    CHECK(grid_ticks_of({.extents = {2, 6, 5}}, 6) ==
          "0:0 ' 10:10 ' 20:20 ' 30:30 ' 40:40 ' 50:50 '");
    CHECK(grid_ticks_of({.extents = {4, 6, 5}}, 4) ==
          "0:0 ' ' ' ' ' 30:30 ' ' ' ' ' 60:60 ' ' ' ' ' 90:90 ' ' ' ' '");
}

TEST_CASE("axis positions: rows that are too many have no minor ticks") {
    CHECK(grid_ticks_of({.extents = {100, 3}}, 5) == "0:0 60:60 120:120 180:180 240:240");
}

TEST_CASE("axis positions: a grid of one row has the ticks of indices") {
    CHECK(grid_ticks_of({.extents = {1, 4}}) == "0:0 1:1 2:2 3:3");
}

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
