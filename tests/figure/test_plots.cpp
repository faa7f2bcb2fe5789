#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/names.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/options.h"
#include "figure/plot.h"

using namespace pegen;

namespace {

/// Channel c is row * 10^c.
Table powers(std::int64_t rows, std::int64_t columns) {
    return table_from(rows, columns, [](std::int64_t row, std::int64_t column) {
        return static_cast<double>(row) * std::pow(10.0, static_cast<double>(column));
    });
}

Figure composed(const Table& table, Options options, std::string_view plot) {
    options.emplace_back("plot", plot);
    return compose_figure(table, with(options));
}

std::string joined(const Figure& figure, TextRole role) {
    std::string all;
    for (const PlacedText& text : figure.texts) {
        if (text.role == role) all += (all.empty() ? "" : "|") + text.text;
    }
    return all;
}

/// The curves in the axes: those of the legend begin at its left.
std::vector<Curve> curves_of(const Figure& figure) {
    std::vector<Curve> curves = figure.curves;
    std::erase_if(curves, [](const Curve& curve) { return curve.points.front().x > 780; });
    return curves;
}

}  // namespace

TEST_CASE("plots: every kind has a name of its own, a summary, and options that exist") {
    for (const Plot* plot : all_plots()) {
        CAPTURE(plot->name);
        CHECK(std::count_if(all_plots().begin(), all_plots().end(),
                            [&](const Plot* other) { return other->name == plot->name; }) == 1);
        CHECK(!plot->summary.empty());
        for (const std::string_view option : words(plot->options)) {
            CHECK_NOTHROW(Parameters(figure_parameters()).value(option));
        }
    }
}

TEST_CASE("plots: waves are channels over the position, from edge to edge but for the margins") {
    const Figure figure = composed(powers(11, 2), {{"channels", "1,0"}}, "waves");
    const std::vector<Curve> curves = curves_of(figure);
    REQUIRE(curves.size() == 2);
    REQUIRE(curves[0].points.size() == 11);
    // Axes from 125 to 745 and 712 to 96; 1/22 of them is margin.
    CHECK(curves[0].points.front().x == doctest::Approx(125 + 620.0 / 22));
    CHECK(curves[0].points.front().y == doctest::Approx(712 - 616.0 / 22));
    CHECK(curves[0].points.back().x == doctest::Approx(745 - 620.0 / 22));
    CHECK(curves[0].points.back().y == doctest::Approx(96 + 616.0 / 22));
    CHECK(curves[1].points.back().y == doctest::Approx(712 - 616.0 / 22 - 616.0 / 11));
    CHECK(curves[0].colour != curves[1].colour);
    CHECK(joined(figure, TextRole::legend) == "channel 1|channel 0");
    CHECK(joined(figure, TextRole::x_tick) == "0|2|4|6|8|10");
    CHECK(joined(figure, TextRole::y_label) == "Positional Encoding Values");
    CHECK(joined(figure, TextRole::x_label) == "Sequence Position(max_len)");
}

TEST_CASE("plots: a value that is not finite is a gap in a wave") {
    const Figure figure = composed(table_of({{0}, {1}, {NAN}, {3}, {INFINITY}}), {}, "waves");
    const std::vector<Curve> curves = curves_of(figure);
    REQUIRE(curves.size() == 2);
    CHECK(curves[0].points.size() == 2);
    CHECK(curves[1].points.size() == 1);
}

TEST_CASE("plots: one position and nothing finite can be drawn") {
    CHECK_NOTHROW(composed(table_of({{1, 2}}), {}, "waves"));
    CHECK_NOTHROW(composed(table_of({{NAN, NAN}}), {}, "waves"));
    CHECK_NOTHROW(composed(table_of({{NAN, NAN}}), {}, "offsets"));
    CHECK_NOTHROW(composed(table_of({{0, 0}}), {}, "similarity"));
}

TEST_CASE("plots: more waves than colours, and channels that are not there, are refused") {
    CHECK_THROWS_WITH_AS(composed(powers(2, 20), {{"channels", "0,1,2,3,4,5,6,7,8,9,10"}}, "waves"),
                         "--channels: 11 of them; one figure tells at most 10 apart", UsageError);
    CHECK_THROWS_AS(composed(powers(2, 4), {{"channels", "4"}}, "waves"), UsageError);
}

TEST_CASE("plots: similarity is the heatmap of the dot products") {
    const Table table = table_of({{1, 0}, {0, 2}, {1, 1}});
    const Table products = table_of({{1, 0, 1}, {0, 4, 2}, {1, 2, 2}});
    const Figure figure = composed(table, {}, "similarity");
    const Figure expected = compose_figure(products, with({}));
    CHECK(figure.grids.front().grid == expected.grids.front().grid);
    CHECK(joined(figure, TextRole::x_label) == joined(figure, TextRole::y_label));
    CHECK(joined(figure, TextRole::colorbar_label) == "Dot Product");
}

TEST_CASE("plots: offsets have the mean and the range of the dot products at each distance") {
    // Products at distance 0: 1, 4, 2; at 1: 0, 2; at 2: 1.
    const Figure figure = composed(table_of({{1, 0}, {0, 2}, {1, 1}}), {}, "offsets");
    const std::vector<Curve> curves = curves_of(figure);
    REQUIRE(curves.size() == 1);
    REQUIRE(curves[0].points.size() == 3);
    const auto y = [](double value) { return 712 - 616 * (value + 0.2) / 4.4; };
    CHECK(curves[0].points[0].y == doctest::Approx(y(7.0 / 3)));
    CHECK(curves[0].points[1].y == doctest::Approx(y(1)));
    REQUIRE(figure.bands.size() == 2);  // one is in the legend
    const Band& band = figure.bands.back();
    CHECK(band.upper[0].y == doctest::Approx(y(4)));
    CHECK(band.lower[0].y == doctest::Approx(y(1)));
    CHECK(band.upper[1].y == doctest::Approx(y(2)));
    CHECK(band.lower[1].y == doctest::Approx(y(0)));
    CHECK(joined(figure, TextRole::legend) == "mean|all pairs");
}

TEST_CASE("plots: wavelengths are the encoding's own, on a logarithmic axis") {
    Table table = powers(2, 2);
    CHECK_THROWS_WITH_AS(composed(table, {}, "wavelengths"),
                         "--plot wavelengths: a file does not tell them", UsageError);
    table.sibling = [](std::string_view name) {
        CHECK(name == "wavelengths");
        Table own = table_of({{1}, {10}, {100}});
        own.shape = {3};
        own.axes = {{AxisKind::frequency, "frequency", "Frequency Index"}};
        return own;
    };
    const Figure figure = composed(table, {}, "wavelengths");
    // The curve and a dot for each frequency.
    REQUIRE(figure.curves.size() == 4);
    const std::vector<Point>& points = figure.curves[0].points;
    REQUIRE(points.size() == 3);
    CHECK(points[0].y - points[1].y == doctest::Approx(points[1].y - points[2].y));
    CHECK(joined(figure, TextRole::y_tick) == "10\u2070|10\u00b9|10\u00b2");
    CHECK(joined(figure, TextRole::x_label) == "Frequency Index");
}
