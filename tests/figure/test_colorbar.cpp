#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "figure/colorbar.h"
#include "figure/fake_table.h"
#include "figure/options.h"

using namespace pegen;

namespace {

using Colours = std::vector<std::uint16_t>;

/// Columns of 0, 1, ... as integers.
Table integers(std::int64_t count) {
    Table table = table_from(
        2, count, [](std::int64_t, std::int64_t column) { return static_cast<double>(column); });
    table.rows = rounded({[count](RowRange, std::span<double> out) {
                              for (std::size_t i = 0; i < out.size(); ++i) {
                                  out[i] =
                                      static_cast<double>(static_cast<std::int64_t>(i) % count);
                              }
                          },
                          table.shape.rows(), count},
                         DType::int64);
    table.dtype = DType::int64;
    return table;
}

/// Returns the indices in the colour bar of a figure, from the lowest, each once.
Colours colours_of_bar(const Figure& figure) {
    const IndexGrid& bar = figure.grids.back().grid;
    Colours colours;
    for (int y = bar.height - 1; y >= 0; --y) {
        const std::uint16_t index = bar.indices[static_cast<std::size_t>(y * bar.width)];
        if (colours.empty() || index != colours.back()) colours.push_back(index);
    }
    return colours;
}

int ticks_of_bar(const Figure& figure) {
    return static_cast<int>(
        std::ranges::count(figure.texts, TextRole::colorbar_tick, &PlacedText::role));
}

}  // namespace

TEST_CASE("colorbar: has all indices, the last on top") {
    const PlacedGrid bar = colorbar_grid({3, 4, 2, 512}, all_colours());
    CHECK(bar.left == 3);
    CHECK(bar.top == 4);
    for (int y = 0; y < 512; ++y) {
        for (int x = 0; x < 2; ++x) {
            REQUIRE(bar.grid.indices[static_cast<std::size_t>(2 * y + x)] == 255 - y / 2);
        }
    }
    CHECK(colorbar_grid({0, 0, 1, 1}, all_colours()).grid.indices.size() == 1);
}

TEST_CASE("colorbar: steps are the whole numbers between the limits, if there are few") {
    CHECK(steps_within({0, 1}, 100) == ColorbarSteps{0, 1});
    CHECK(steps_within({-2.5, 3}, 100) == ColorbarSteps{-2, 3});
    CHECK(steps_within({0, 15}, 100) == ColorbarSteps{0, 15});
    CHECK_FALSE(steps_within({0, 16}, 100));
    CHECK_FALSE(steps_within({0.1, 0.9}, 100));
    CHECK(steps_within({0, 4}, 10) == ColorbarSteps{0, 4});
    CHECK_FALSE(steps_within({0, 5}, 10));
    CHECK_FALSE(steps_within({-1e300, 1e300}, 100));
}

TEST_CASE("colorbar: whole numbers have a step each in the colour of the heatmap") {
    const Figure figure = compose_figure(integers(4), with({}));
    CHECK(colours_of_bar(figure) == Colours{0, 85, 170, 255});
    CHECK(ticks_of_bar(figure) == 4);
    for (const std::uint16_t index : figure.grids.front().grid.indices) {
        REQUIRE(std::ranges::count(colours_of_bar(figure), index) == 1);
    }
    CHECK(colours_of_bar(compose_figure(integers(17), with({}))).size() == 256);
}

TEST_CASE("colorbar: real numbers that are known to be whole have steps, others have none") {
    Table bits = table_of({{0, 1}, {1, 1}});
    CHECK(colours_of_bar(compose_figure(bits, with({}))).size() == 256);
    bits.has_whole_values = true;
    CHECK(colours_of_bar(compose_figure(bits, with({}))) == Colours{0, 255});
    CHECK(ticks_of_bar(compose_figure(bits, with({}))) == 2);
}

TEST_CASE("colorbar: has arrows where values lie beyond the limits, and only there") {
    const Table table = table_of({{-2, 0, 3}, {NAN, -INFINITY, INFINITY}});
    const auto arrows = [&](const Options& options) {
        return compose_figure(table, with(options)).bands.size();
    };
    CHECK(arrows({}) == 0);
    CHECK(arrows({{"vmin", "-2"}, {"vmax", "3"}}) == 0);
    CHECK(arrows({{"vmin", "-1"}}) == 1);
    CHECK(arrows({{"vmax", "2"}, {"interpolation", "nearest"}}) == 1);
    CHECK(arrows({{"vmin", "-1"}, {"vmax", "1"}}) == 2);
    CHECK(arrows({{"vmin", "-1"}, {"vmax", "1"}, {"interpolation", "nearest"}}) == 2);
    CHECK(arrows({{"vcentre", "0"}, {"vmax", "2"}}) == 1);
    CHECK(arrows({{"vmin", "-1"}, {"no-colorbar", "true"}}) == 0);
    const Table nothing = table_of({{NAN, NAN}});
    CHECK(compose_figure(nothing, with({{"vmin", "0.5"}})).bands.empty());
}

TEST_CASE("colorbar: arrows stand on its ends and keep within its place") {
    const Table table = table_of({{-2, 3}});
    const Figure whole = compose_figure(table, with({}));
    const Figure figure = compose_figure(table, with({{"vmin", "-1"}, {"vmax", "1"}}));
    const PlacedGrid &bar = figure.grids.back(), &without = whole.grids.back();
    CHECK(bar.grid.width == without.grid.width);
    CHECK(bar.left == without.left);
    CHECK(bar.grid.height == 560);  // of 616; each arrow takes a twentieth of the bar
    CHECK(bar.top == 124);
    REQUIRE(figure.bands.size() == 2);
    CHECK(figure.bands[0].colour == find_palette("coolwarm")[255]);
    CHECK(figure.bands[0].upper[1].y == doctest::Approx(124.5 - 28));
    CHECK(figure.bands[1].colour == find_palette("coolwarm")[0]);
    CHECK(figure.bands[1].lower[1].y == doctest::Approx(684.5 + 28));
    CHECK(figure.grids.front().grid.width == whole.grids.front().grid.width);
}

TEST_CASE("colorbar: has no arrows in a window") {
    CHECK(compose_figure(table_of({{-2, 3}}), with({{"vmin", "0"}}), window_medium(80, 24))
              .bands.empty());
}
