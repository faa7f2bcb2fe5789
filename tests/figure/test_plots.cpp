#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/names.h"
#include "figure/colormap.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/medium.h"
#include "figure/options.h"
#include "figure/paint.h"
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

/// Returns the curves in the axes. Curves of the legend are left out: they begin to the left of it.
std::vector<Curve> curves_of(const Figure& figure) {
    std::vector<Curve> curves = figure.curves;
    std::erase_if(curves, [](const Curve& curve) { return curve.points.front().x > 780; });
    return curves;
}

}  // namespace

TEST_CASE("plots: every kind has a unique name, a summary, and options that exist") {
    for (const Plot* plot : all_plots()) {
        CAPTURE(plot->name);
        CHECK(std::count_if(all_plots().begin(), all_plots().end(),
                            [&](const Plot* other) { return other->name == plot->name; }) == 1);
        CHECK(!plot->summary.empty());
        const std::string options = fmt::format("{} {}", plot->options, plot->common_options);
        for (const std::string_view option : words(options)) {
            CHECK_NOTHROW(Parameters(figure_parameters()).value(option));
        }
    }
}

TEST_CASE("plots: the largest doubles are drawn within the picture, whatever its texts' size") {
    const Table table = table_from(6, 4, [](std::int64_t row, std::int64_t column) {
        return (row + column) % 2 == 0 ? 1.7e308 : -1.7e308;
    });
    int drawn = 0;
    for (const Plot* plot : all_plots()) {
        for (const Options& size : {Options{}, Options{{"for", "page"}}}) {
            CAPTURE(plot->name);
            Options options = size;
            options.emplace_back("plot", plot->name);
            try {
                const Figure figure = compose_figure(table, with(options));
                ++drawn;
                for (const PlacedText& text : figure.texts) {
                    CHECK(std::abs(text.x) < 10000);
                    CHECK(std::abs(text.y) < 10000);
                }
                CHECK_NOTHROW(paint(figure));
            } catch (const UsageError& refusal) {
                CHECK(std::string_view(refusal.what()) != "");
            }
        }
    }
    CHECK(drawn >= 8);
}

TEST_CASE("plots: waves are channels over the position, from edge to edge except for the margins") {
    const Figure figure = composed(powers(11, 2), {{"channels", "1,0"}}, "waves");
    const std::vector<Curve> curves = curves_of(figure);
    REQUIRE(curves.size() == 2);
    REQUIRE(curves[0].points.size() == 11);
    // The axes reach from 125 to 745 and from 712 to 96; 1/22 is margin.
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
    CHECK(curves[1].width > 2 * curves[0].width);  // a dot
}

TEST_CASE("plots: a single row is drawn as dots") {
    for (const std::string_view plot : {"waves", "offsets"}) {
        CAPTURE(plot);
        const Figure figure = composed(table_of({{1, 2}}), {}, plot);
        const std::vector<Curve> curves = curves_of(figure);
        REQUIRE(!curves.empty());
        CHECK(curves.back().points.size() == 1);
        CHECK(curves.back().width == doctest::Approx(4 * 100.0 / 72));
    }
}

TEST_CASE("plots: a distance between gaps shows its range as a line") {
    // The products are 1, 4, NaN at distance 0; 0, NaN at distance 1; and NaN at distance 2.
    const Figure figure = composed(table_of({{1, 0}, {0, 2}, {NAN, 1}}), {}, "offsets");
    CHECK(figure.bands.size() == 1);  // in the legend
    const Figure one = composed(table_of({{1, 0}}), {}, "offsets");
    REQUIRE(curves_of(one).size() == 2);
    CHECK(curves_of(one)[0].points.size() == 2);
}

TEST_CASE("plots: waves of whole numbers are steps") {
    Table bits = table_of({{0}, {1}, {1}, {0}});
    bits.has_whole_values = true;
    const Figure figure = composed(bits, {}, "waves");
    const std::vector<Point> points = curves_of(figure).front().points;
    REQUIRE(points.size() == 8);
    for (std::size_t i = 0; i < 8; i += 2) {
        CHECK(points[i].y == points[i + 1].y);
        if (i > 0) CHECK(points[i].x == points[i - 1].x);
    }
    CHECK(joined(figure, TextRole::y_tick) == "0|1");
    CHECK(joined(figure, TextRole::x_tick) == "0|1|2|3");
    CHECK(curves_of(composed(table_of({{0}, {1}}), {}, "waves")).front().points.size() == 2);
}

TEST_CASE("plots: one position and nothing finite can be drawn") {
    CHECK_NOTHROW(composed(table_of({{1, 2}}), {}, "waves"));
    CHECK_NOTHROW(composed(table_of({{NAN, NAN}}), {}, "waves"));
    CHECK_NOTHROW(composed(table_of({{NAN, NAN}}), {}, "offsets"));
    CHECK_NOTHROW(composed(table_of({{0, 0}}), {}, "similarity"));
}

TEST_CASE("plots: more waves than colours, and channels that are not there, are refused") {
    CHECK_THROWS_WITH_AS(composed(powers(2, 20), {{"channels", "0,1,2,3,4,5,6,7,8,9,10"}}, "waves"),
                         "--channels: 11 given, at most 10 can be drawn", UsageError);
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
    // The products are 1, 4, 2 at distance 0; 0, 2 at distance 1; and 1 at distance 2.
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
                         "--plot wavelengths: files, and tables with flaws, do not tell them",
                         UsageError);
    table.sibling = [](const Sibling& wanted) {
        CHECK(wanted.table == "wavelengths");
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

TEST_CASE("plots: wavelengths that a logarithmic axis cannot show are refused") {
    Table table = powers(2, 2);
    const auto with_wavelengths = [&](std::vector<std::vector<double>> rows) {
        table.sibling = [rows](const Sibling&) { return table_of(rows); };
        return composed(table, {}, "wavelengths");
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH_AS(with_wavelengths({{infinity}, {0}}),
                         "--plot wavelengths: no pair of channels has one", UsageError);
    CHECK_THROWS_WITH_AS(
        with_wavelengths({{1e-300}, {1}}),
        "--plot wavelengths: they go from 1e-300 to 1; a logarithmic axis shows 1e-130 to 1e+130",
        UsageError);
    CHECK_THROWS_AS(with_wavelengths({{1}, {1e300}}), UsageError);
    CHECK_NOTHROW(with_wavelengths({{1e-130}, {1e130}}));
}

TEST_CASE("plots: waves over frequencies are logarithmic only where they can be") {
    const auto ticks_of = [](std::vector<std::vector<double>> values) {
        Table table = table_of(values);
        table.shape = {std::ssize(values)};
        table.axes = {{AxisKind::frequency, "frequency", "Frequency Index"}};
        return joined(composed(table, {}, "waves"), TextRole::y_tick);
    };
    CHECK(ticks_of({{1}, {10}, {100}}) == "10\u2070|10\u00b9|10\u00b2");
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(ticks_of({{infinity}, {infinity}}) == "0.0|0.2|0.4|0.6|0.8|1.0");
    CHECK(ticks_of({{1e-300}, {1e-299}}) != "");
}

namespace {

Positions list(std::vector<double> positions) { return Positions(std::move(positions)); }

/// powers(), with these positions of its rows.
Table powers_at(Positions positions, std::int64_t rows_before = 0) {
    Table table = powers(rows_before + positions.size(), 2);
    table.axes[0].rows_before = rows_before;
    table.axes[0].positions = positions;
    return table;
}

/// A table of three axes; the outer two are of these kinds.
Table of_three_axes(AxisKind first, AxisKind second) {
    Table table = powers(12, 2);
    table.shape = {3, 4, 2};
    table.axes = {{first, "first", "First"}, {second, "second", "Second"}, table.axes[1]};
    return table;
}

}  // namespace

TEST_CASE("plots: wavelengths of several encodings are curves with names") {
    Table table = table_from(2, 2, [](auto, auto) { return 0.0; });
    table.provenance.encoding = "mine";
    table.sibling = [](const Sibling&) { return table_of({{1}, {10}}); };
    table.other = [](std::string_view words, std::string_view name) {
        CHECK(name == "wavelengths");
        CHECK((words == "llama" || words == "rope --d 6"));
        return table_of({{2}, {20}, {200}});
    };
    const Figure figure = composed(table,
                                   {{"with",
                                     " llama; mine too :rope --d 6 ; twenty-four letters long: "
                                     "llama; a name of 25 letters long: llama"}},
                                   "wavelengths");
    for (const char* name :
         {"mine", "llama", "mine too", "twenty-four letters long", "a name of 25 letters ..."}) {
        CAPTURE(name);
        CHECK(std::ranges::count(figure.texts, name, &PlacedText::text) == 1);
    }
    CHECK_THROWS_WITH_AS(composed(table, {{"with", "llama"}}, "heatmap"),
                         "--with: has no effect on --plot heatmap, only on wavelengths, decay",
                         UsageError);
}

TEST_CASE("plots: ticks are positions, in both directions and of every kind of picture") {
    const Table table = powers_at(Positions(1000, 1, 11));
    const std::string ticks = "1000|1002|1004|1006|1008|1010";
    CHECK(joined(composed(table, {}, "heatmap"), TextRole::y_tick) == ticks);
    CHECK(joined(composed(table, {{"transpose", "true"}}, "heatmap"), TextRole::x_tick) == ticks);
    CHECK(joined(composed(table, {}, "waves"), TextRole::x_tick) == ticks);
    CHECK(joined(composed(table, {}, "similarity"), TextRole::x_tick) == ticks);
    CHECK(joined(composed(table, {}, "similarity"), TextRole::y_tick) == ticks);
    const Table table_of_list = powers_at(list({0, 10, 1000}));
    CHECK(joined(composed(table_of_list, {}, "waves"), TextRole::x_tick) == "0|10|1000");
    CHECK(joined(composed(table_of_list, {}, "heatmap"), TextRole::y_tick) == "0|10|1000");
}

TEST_CASE("plots: curves, cells and lines are where they are without positions") {
    for (const std::string_view plot : {"heatmap", "waves", "similarity"}) {
        CAPTURE(plot);
        const Figure with = composed(powers_at(Positions(1000, 0.5, 11)), {}, plot);
        const Figure without = composed(powers(11, 2), {}, plot);
        REQUIRE(with.curves.size() == without.curves.size());
        for (std::size_t i = 0; i < with.curves.size(); ++i) {
            CHECK(with.curves[i].points.back().x == without.curves[i].points.back().x);
        }
        REQUIRE(with.grids.size() == without.grids.size());
        for (std::size_t i = 0; i < with.grids.size(); ++i) {
            CHECK(with.grids[i].grid == without.grids[i].grid);
        }
    }
}

TEST_CASE("plots: rows before the first position have no tick label") {
    const Table table = powers_at(Positions(0, 1, 4), 1);
    CHECK(joined(composed(table, {}, "heatmap"), TextRole::y_tick) == "0|1|2|3");
    CHECK(joined(composed(table, {}, "waves"), TextRole::x_tick) == "0|1|2|3");
}

TEST_CASE("plots: offsets are differences of positions") {
    CHECK(joined(composed(powers_at(Positions(1000, 0.5, 11)), {}, "offsets"), TextRole::x_tick) ==
          "0|1|2|3|4|5");
    CHECK(joined(composed(powers_at(Positions(9, 3, 11).reversed()), {}, "offsets"),
                 TextRole::x_tick) == "0|5|10|15|20|25|30");
    CHECK(joined(composed(powers_at(list({0.1, 0.2, 0.3})), {}, "offsets"), TextRole::x_tick) ==
          "0.000|0.025|0.050|0.075|0.100|0.125|0.150|0.175|0.200");
}

TEST_CASE("plots: offsets leave out the rows before the first position") {
    const Table whole = powers_at(Positions(1, 1, 3), 2);
    const Table rows = table_of({{2, 20}, {3, 30}, {4, 40}});
    const Figure figure = composed(whole, {}, "offsets"), expected = composed(rows, {}, "offsets");
    REQUIRE(curves_of(figure).size() == 1);
    REQUIRE(curves_of(figure)[0].points.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(curves_of(figure)[0].points[i].y == curves_of(expected)[0].points[i].y);
    }
    Table none = powers(2, 2);
    none.axes[0].rows_before = 2;
    CHECK_THROWS_WITH_AS(composed(none, {}, "offsets"),
                         "--plot offsets: no row of the table stands for a position", UsageError);
}

TEST_CASE("plots: offsets of positions that are not equally spaced are refused") {
    CHECK_THROWS_WITH_AS(composed(powers_at(list({0, 10, 1000})), {}, "offsets"),
                         "--plot offsets: the positions are not equally spaced; use --start and "
                         "--step, or --plot similarity",
                         UsageError);
    CHECK_THROWS_WITH_AS(composed(powers_at(Positions(-1.5e308, 1.5e308, 3)), {}, "offsets"),
                         "--plot offsets: the positions are too far apart; use --start and "
                         "--step, or --plot similarity",
                         UsageError);
    CHECK_THROWS_WITH_AS(composed(powers_at(Positions(7, 0, 3)), {}, "offsets"),
                         "--plot offsets: the positions are all the same; use --start and "
                         "--step, or --plot similarity",
                         UsageError);
}

TEST_CASE("plots: pictures over positions refuse a table over queries and keys") {
    Table bias = table_of({{0, 1}, {2, 3}});
    bias.axes = {{AxisKind::query, "query", "Query"}, {AxisKind::key, "key", "Key"}};
    for (const std::string_view plot : {"waves", "similarity", "offsets"}) {
        CAPTURE(plot);
        CHECK_THROWS_WITH_AS(composed(bias, {}, plot),
                             "a table over queries and keys: its values depend on pairs of "
                             "positions, and this figure is over positions; use --plot heatmap "
                             "or --plot steps",
                             UsageError);
    }
    CHECK_NOTHROW(composed(bias, {}, "heatmap"));
}

TEST_CASE("plots: pictures over positions refuse rows that are merged from other axes") {
    const Table frequencies = of_three_axes(AxisKind::frequency, AxisKind::position);
    const Table functions = of_three_axes(AxisKind::function, AxisKind::position);
    const Table pixels = of_three_axes(AxisKind::pixel, AxisKind::pixel);
    const Table file = of_three_axes(AxisKind::other, AxisKind::other);
    for (const std::string_view plot : {"waves", "similarity", "offsets"}) {
        CAPTURE(plot);
        CHECK_THROWS_WITH_AS(composed(frequencies, {}, plot),
                             "a table of shape (3, 4, 2): its rows are first x second, and this "
                             "figure is over positions, which first does not count; choose with "
                             "--select",
                             UsageError);
        CHECK_THROWS_WITH_AS(composed(functions, {}, plot),
                             "a table of shape (3, 4, 2): is 3 panels, and this figure is of one; "
                             "choose it with --select",
                             UsageError);
        CHECK_NOTHROW(composed(frequencies, {{"select", "1"}}, plot));
        CHECK_NOTHROW(composed(functions, {{"select", "1"}}, plot));
        CHECK_NOTHROW(composed(pixels, {}, plot));
        CHECK_NOTHROW(composed(file, {}, plot));
    }
    CHECK_NOTHROW(composed(frequencies, {}, "heatmap"));
}

namespace {

/// A table (heads, 2, 3) of 10 * head + key - query, where the queries are the last two of the
/// keys.
Table bias_of(std::int64_t heads, DType dtype) {
    Table table;
    table.shape = {heads, 2, 3};
    table.dtype = dtype;
    table.axes = {{.kind = AxisKind::head, .name = "head", .label = "Head"},
                  {.kind = AxisKind::query,
                   .name = "query",
                   .label = "Query",
                   .positions = Positions(1, 1, 2)},
                  {.kind = AxisKind::key, .name = "key", .label = "Key"}};
    table.rows =
        rounded({[](RowRange range, std::span<double> out) {
                     for (std::size_t i = 0; i < out.size(); ++i) {
                         const std::int64_t row = range.first + static_cast<std::int64_t>(i / 3);
                         out[i] = static_cast<double>(
                             10 * (row / 2) + static_cast<std::int64_t>(i % 3) - (row % 2 + 1));
                     }
                 },
                 table.shape.rows(), 3},
                dtype);
    table.title = "Bias";
    table.value_label = "Value";
    return table;
}

}  // namespace

TEST_CASE("plots: steps are levels around each distance, of the last query") {
    const Figure figure = composed(bias_of(2, DType::float32), {}, "steps");
    const std::vector<Curve> curves = curves_of(figure);
    REQUIRE(curves.size() == 2);
    CHECK(joined(figure, TextRole::legend) == "head 0|head 1");
    CHECK(joined(figure, TextRole::x_label) == "Distance (Key - Query)");
    CHECK(joined(figure, TextRole::x_tick) == "−2|−1|0");
    CHECK(joined(figure, TextRole::title) == "Bias, query 1");
    const std::vector<Point>& points = curves[0].points;
    REQUIRE(points.size() == 6);
    // Each level has two points, and the next level begins where it ends.
    const double width = points[1].x - points[0].x;
    for (std::size_t i = 0; i < 6; i += 2) {
        CHECK(points[i].y == points[i + 1].y);
        CHECK(points[i + 1].x - points[i].x == doctest::Approx(width));
        if (i > 0) CHECK(points[i].x == points[i - 1].x);
        if (i > 0) CHECK(points[i].y < points[i - 1].y);
    }
}

TEST_CASE("plots: steps of a selected head and query, with ticks at whole numbers for integers") {
    const Table integers = bias_of(3, DType::int64);
    const Figure head = composed(integers, {{"select", "1"}}, "steps");
    CHECK(joined(head, TextRole::title) == "Bias, head 1, query 1");
    CHECK(joined(head, TextRole::y_tick) == "8|9|10");
    CHECK(joined(head, TextRole::legend).empty());
    const Figure query = composed(integers, {{"select", "1,0"}}, "steps");
    CHECK(joined(query, TextRole::title) == "Bias, head 1, query 0");
    CHECK(joined(query, TextRole::x_tick) == "−1|0|1");
    CHECK_THROWS_WITH_AS(composed(integers, {{"select", "1,2"}}, "steps"),
                         "--select 1,2: query must be 0 to 1", UsageError);
    CHECK_THROWS_WITH_AS(composed(integers, {{"select", "3"}}, "steps"),
                         "--select 3: head must be 0 to 2", UsageError);
}

TEST_CASE("plots: of more heads than colours, steps show as many as there are, spread evenly") {
    const Figure figure = composed(bias_of(32, DType::float32), {}, "steps");
    CHECK(joined(figure, TextRole::legend) ==
          "head 0|head 3|head 6|head 9|head 12|head 16|head 19|head 22|head 25|head 28");
}

TEST_CASE("plots: steps refuse what has no queries and keys on one axis") {
    CHECK_THROWS_WITH_AS(composed(powers(3, 3), {}, "steps"),
                         "--plot steps: draws a table over queries and keys, and this is none; use "
                         "--plot heatmap",
                         UsageError);
    Table windows = bias_of(1, DType::int64);
    windows.axes[2].extents = {1, 3};
    CHECK_THROWS_WITH_AS(composed(windows, {}, "steps"),
                         "--plot steps: draws values over the distance of key and query, and the "
                         "key axis counts points of a grid; use --plot heatmap",
                         UsageError);
}

TEST_CASE("plots: the colour bar of integers has ticks at whole numbers only") {
    const Table integers = bias_of(1, DType::int64);
    CHECK(joined(composed(integers, {}, "heatmap"), TextRole::colorbar_tick) == "−2|−1|0|1");
    const Table reals = bias_of(1, DType::float32);
    CHECK(joined(composed(reals, {}, "heatmap"), TextRole::colorbar_tick) ==
          "−2.0|−1.5|−1.0|−0.5|0.0|0.5|1.0");
}

namespace {

/// A table of one axis.
Table line(std::vector<double> values, AxisKind kind) {
    std::vector<std::vector<double>> rows;
    for (const double value : values) rows.push_back({value});
    Table table = table_of(rows);
    table.shape = {static_cast<std::int64_t>(values.size())};
    table.axes = {{kind, "index", "Index"}};
    return table;
}

/// A table (channel, height, width) of 100 channel + 10 y + x.
Table channels_first() {
    Table table = table_from(12, 3, [](std::int64_t row, std::int64_t column) {
        return static_cast<double>(100 * (row / 4) + 10 * (row % 4) + column);
    });
    table.shape = {3, 4, 3};
    table.axes = {{AxisKind::channel, "channel", "Channel"},
                  {AxisKind::pixel, "height", "Height"},
                  {AxisKind::pixel, "width", "Width"}};
    return table;
}

/// The same as a table (height x width, channel).
Table channels_last() {
    return table_from(12, 3, [](std::int64_t row, std::int64_t column) {
        return static_cast<double>(100 * column + 10 * (row / 3) + row % 3);
    });
}

}  // namespace

TEST_CASE("plots: a table of one axis is a curve with dots, unless a heatmap is asked for") {
    const Table table = line({3, 1, 2}, AxisKind::head);
    const Figure figure = compose_figure(table, with({}));
    CHECK(figure.grids.empty());
    REQUIRE(figure.curves.size() == 4);
    CHECK(figure.curves[0].points.size() == 3);
    CHECK(joined(figure, TextRole::x_label) == "Index");
    CHECK(joined(figure, TextRole::y_label) == "Positional Encoding Values");
    CHECK(joined(figure, TextRole::legend).empty());
    CHECK_FALSE(composed(table, {}, "heatmap").grids.empty());
    CHECK_FALSE(compose_figure(table, with({{"cmap", "gray"}})).grids.empty());
    CHECK(compose_figure(table, with({{"cell", "2"}})).is_bare);
    CHECK(compose_figure(powers(3, 1), with({})).curves.empty());
    CHECK_THROWS_WITH_AS(compose_figure(table, with({{"channels", "0"}})),
                         "--channels: has no effect on a table of one axis", UsageError);
}

TEST_CASE("plots: a curve of many points has no dots") {
    CHECK(compose_figure(line(std::vector<double>(200, 1.5), AxisKind::position), with({}))
              .curves.size() == 1);
}

TEST_CASE("plots: positive values over frequencies have a logarithmic axis, others have not") {
    const auto ticks = [](const Table& table) {
        return joined(compose_figure(table, with({})), TextRole::y_tick);
    };
    CHECK(ticks(line({1, 10, 100}, AxisKind::frequency)) == "10\u2070|10\u00b9|10\u00b2");
    CHECK(ticks(line({0, 10, 100}, AxisKind::frequency)) == "0|20|40|60|80|100");
    CHECK(ticks(line({1, 10, 100}, AxisKind::position)) == "0|20|40|60|80|100");
}

TEST_CASE("plots: channels are curves over positions even if they are the rows") {
    const Figure figure = composed(channels_first(), {{"channels", "2,0"}}, "waves");
    const Figure expected = composed(channels_last(), {{"channels", "2,0"}}, "waves");
    REQUIRE(figure.curves.size() == expected.curves.size());
    for (std::size_t i = 0; i < figure.curves.size(); ++i) {
        REQUIRE(figure.curves[i].points.size() == expected.curves[i].points.size());
        for (std::size_t k = 0; k < figure.curves[i].points.size(); ++k) {
            CHECK(figure.curves[i].points[k].y == expected.curves[i].points[k].y);
        }
    }
    CHECK(joined(figure, TextRole::legend) == "channel 2|channel 0");
    CHECK(joined(figure, TextRole::x_label) == "height × width");
    CHECK(joined(figure, TextRole::x_tick) == "(0, 0)|(1, 0)|(2, 0)|(3, 0)");
    CHECK_THROWS_WITH_AS(composed(channels_first(), {{"channels", "3"}}, "waves"),
                         "--channels 3: must be 0 to 2", UsageError);
}

TEST_CASE("plots: similarity and offsets compare positions even if channels are the rows") {
    const Figure similar = composed(channels_first(), {}, "similarity");
    CHECK(similar.grids.front().grid ==
          composed(channels_last(), {}, "similarity").grids.front().grid);
    CHECK(joined(similar, TextRole::y_label) == "height × width");
    const Figure offsets = composed(channels_first(), {}, "offsets");
    const Figure expected = composed(channels_last(), {}, "offsets");
    REQUIRE(curves_of(offsets).front().points.size() == 12);
    CHECK(curves_of(offsets).front().points[5].y == curves_of(expected).front().points[5].y);
}

TEST_CASE("plots: pictures over positions refuse columns that are merged from other axes") {
    Table table = channels_first();
    table.axes[1] = {AxisKind::frequency, "frequency", "Frequency"};
    CHECK_THROWS_WITH_AS(composed(table, {}, "waves"),
                         "a table of shape (3, 4, 3): its columns are frequency x width, and this "
                         "figure is over positions, which frequency does not count; choose with "
                         "--select",
                         UsageError);
}

namespace {

/// A table of `heads` heads, 4 queries and 4 keys: key - query, times 1, 1/scale, 1/scale^2 ...
Table heads_of(std::int64_t heads, double scale) {
    Table table = table_from(4 * heads, 4, [=](std::int64_t row, std::int64_t key) {
        return static_cast<double>(key - row % 4) / std::pow(scale, static_cast<double>(row / 4));
    });
    table.shape = {heads, 4, 4};
    table.axes = {{AxisKind::head, "head", "Head"},
                  {AxisKind::query, "query", "Query"},
                  {AxisKind::key, "key", "Key"}};
    table.title = "Bias";
    return table;
}

Table masked_heads(std::int64_t heads, double scale) {
    Table table = heads_of(heads, scale);
    table.masked_title = "Bias, under a Mask";
    return table;
}

std::uint16_t at(const PlacedGrid& placed, double across, double down) {
    const IndexGrid& grid = placed.grid;
    const int x = static_cast<int>(across * grid.width), y = static_cast<int>(down * grid.height);
    return grid.indices[y * grid.width + x];
}

}  // namespace

TEST_CASE("plots: keys after the query are left out where models mask them, unless asked for") {
    const Table table = masked_heads(1, 1);
    const Figure masked = composed(table, {}, "heatmap");
    CHECK(masked.title == "Bias, under a Mask");
    CHECK(at(masked.grids[0], 0.9, 0.1) == no_value);
    CHECK(at(masked.grids[0], 0.4, 0.1) == no_value);
    CHECK(at(masked.grids[0], 0.1, 0.1) == 255);  // the limits are those of what is seen
    CHECK(at(masked.grids[0], 0.1, 0.9) == 0);
    CHECK(joined(composed(table, {{"annotate", "true"}}, "heatmap"), TextRole::cell).find("nan") ==
          std::string::npos);
    const Figure all = composed(table, {{"unmasked", "true"}}, "heatmap");
    CHECK(all.title == "Bias");
    CHECK(at(all.grids[0], 0.9, 0.1) == 255);
    CHECK_THROWS_WITH_AS(composed(heads_of(1, 1), {{"unmasked", "true"}}, "heatmap"),
                         "--unmasked: has no effect: nothing in this table is masked", UsageError);
}

TEST_CASE("plots: steps under a mask say so unless keys after the query are drawn") {
    const Table table = masked_heads(1, 1);
    CHECK(composed(table, {}, "steps").title == "Bias, under a Mask, query 3");
    CHECK(composed(table, {{"select", "0,1"}}, "steps").title == "Bias, query 1");
}

TEST_CASE("plots: heads share their limits where panels have no room for limits of their own") {
    const Figure figure =
        composed(heads_of(8, 4), {{"figsize", "3.3x2.2"}, {"font-size", "7"}}, "heatmap");
    CHECK(joined(figure, TextRole::panel_title).starts_with("head 0|head 1|"));
    CHECK(joined(figure, TextRole::colorbar_tick).find("low") == std::string::npos);
    CHECK(figure.grids[0].grid.indices != figure.grids[1].grid.indices);
    REQUIRE(figure.notes.size() == 1);
    CHECK(figure.notes[0].find("so that all panels have the same") != std::string::npos);
}

TEST_CASE("plots: heads whose values differ by powers have colours of their own, and say so") {
    const Figure own = composed(heads_of(2, 64), {}, "heatmap");
    CHECK(joined(own, TextRole::panel_title) == "head 0: −3 to 3|head 1: −0.0469 to 0.0469");
    CHECK(joined(own, TextRole::colorbar_tick) == "low|high");
    CHECK(own.grids[0].grid.indices == own.grids[1].grid.indices);
    const Figure shared = composed(heads_of(2, 64), {{"limits", "shared"}}, "heatmap");
    CHECK(joined(shared, TextRole::panel_title) == "head 0|head 1");
    CHECK(at(shared.grids[1], 0.9, 0.1) == 130);
    const Figure alike = composed(heads_of(2, 4), {}, "heatmap");
    CHECK(joined(alike, TextRole::panel_title) == "head 0|head 1");
    CHECK(joined(composed(heads_of(2, 4), {{"limits", "own"}}, "heatmap"), TextRole::panel_title) ==
          "head 0: −3 to 3|head 1: −0.75 to 0.75");
    const Figure given = composed(heads_of(2, 64), {{"vmax", "1"}}, "heatmap");
    CHECK(joined(given, TextRole::panel_title) == "head 0|head 1");
    const Figure bare = composed(heads_of(2, 64), {{"no-colorbar", "true"}}, "heatmap");
    CHECK(bare.grids.size() == 2);
}

TEST_CASE("plots: colours are by powers of ten where panels of one sign differ much") {
    const auto biases = [](double step, double sign) {
        Table table = heads_of(2, 1);
        const auto fill = [=](RowRange range, std::span<double> out) {
            for (std::int64_t i = 0; i < std::ssize(out); ++i) {
                const std::int64_t cell = range.first * 4 + i;
                out[i] = sign * static_cast<double>(cell % 16) / (cell < 16 ? 1 : step);
            }
        };
        table.shape = {2, 4, 4};
        table.rows = rounded({fill, 8, 4}, DType::float64);
        return table;
    };
    const Options own_size{{"for", "readme"}};
    const auto numbers = [&](const Table& table, Options options) {
        return joined(composed(table, std::move(options), "heatmap"), TextRole::colorbar_tick);
    };
    CHECK(numbers(biases(64, -1), own_size) == "−10¹|−10⁰|−10⁻¹|−10⁻²|0");
    CHECK(numbers(biases(64, 1), own_size) == "0|10⁻²|10⁻¹|10⁰|10¹");
    CHECK(numbers(biases(64, -1), {}) == "low|high");
    CHECK(numbers(biases(4, -1), own_size).find("10⁰") == std::string::npos);
    CHECK(numbers(heads_of(2, 64), own_size) == "low|high");
    CHECK(numbers(biases(64, -1), {{"for", "readme"}, {"colour-scale", "linear"}}) == "low|high");
    CHECK(numbers(biases(64, -1), {{"colour-scale", "symlog"}}).starts_with("−10¹|"));
    Table whole = table_of({{0, 1, 8, 24}});
    whole.has_whole_values = true;
    CHECK(numbers(whole, {{"for", "readme"}, {"colour-scale", "symlog"}}) == "0|10⁰|10¹");
    const Figure figure = composed(biases(64, -1), own_size, "heatmap");
    CHECK(figure.palette == find_palette("viridis"));
    CHECK(figure.grids[0].grid.indices != figure.grids[1].grid.indices);
    CHECK(composed(biases(64, -1), {{"for", "readme"}, {"cmap", "bwr"}}, "heatmap").palette ==
          find_palette("bwr"));
    CHECK_THROWS_WITH_AS(
        composed(biases(64, -1), {{"colour-scale", "symlog"}, {"limits", "own"}}, "heatmap"),
        doctest::Contains("leave one of the two out"), UsageError);
}

TEST_CASE("plots: a similarity says so in its title") {
    Table table = powers(4, 3);
    table.title = "Powers (n=4)";
    CHECK(composed(table, {}, "similarity").title == "Powers, Similarity (n=4)");
    table.title = "r.npy";
    CHECK(composed(table, {}, "patches").title == "r.npy, Similarity of Patches");
}

TEST_CASE("plots: ticks count rows and columns where they are asked to") {
    const auto ticks = [](const Options& options) {
        Table table = powers(3, 2);
        table.axes[0].positions = Positions(5, 1, 3);
        return joined(composed(table, options, "heatmap"), TextRole::y_tick);
    };
    CHECK(ticks({}) == "5|6|7");
    CHECK(ticks({{"ticks", "indices"}}) == "0|1|2");
}

TEST_CASE("plots: shares have a sequential map that begins at 0, unless another is asked for") {
    Table table = table_of({{0.5, 0.25}, {0.25, 0.5}});
    table.has_shares = true;
    const Figure figure = composed(table, {}, "heatmap");
    CHECK(figure.palette == find_palette("viridis"));
    CHECK(at(figure.grids[0], 0.9, 0.1) == 128);
    const Figure chosen = composed(table, {{"cmap", "coolwarm"}, {"vmin", "0.25"}}, "heatmap");
    CHECK(chosen.palette == find_palette("coolwarm"));
    CHECK(at(chosen.grids[0], 0.9, 0.1) == 0);
}

TEST_CASE("plots: steps are of the middle query if it sees keys on both sides, else of the last") {
    CHECK(joined(composed(heads_of(2, 2), {}, "steps"), TextRole::title) == "Bias, query 2");
    CHECK(joined(composed(masked_heads(2, 2), {}, "steps"), TextRole::title) ==
          "Bias, under a Mask, query 3");
    Table hidden = table_from(4, 4, [](std::int64_t query, std::int64_t key) {
        return key > query ? -std::numeric_limits<double>::infinity() : 0.0;
    });
    hidden.axes = {{AxisKind::query, "query", "Query"}, {AxisKind::key, "key", "Key"}};
    hidden.title = "Bias";
    CHECK(joined(composed(hidden, {}, "steps"), TextRole::title) == "Bias, query 3");
}

TEST_CASE("plots: cosines are similarities and offsets of directions") {
    const Table table = table_of({{1, 0}, {0, 5}, {2, 0}});
    const Figure figure = composed(table, {{"cosine", "true"}}, "similarity");
    CHECK(joined(figure, TextRole::colorbar_label) == "Cosine Similarity");
    CHECK(at(figure.grids[0], 0.9, 0.1) == 255);
    CHECK(at(figure.grids[0], 0.5, 0.5) == 255);
    CHECK(joined(composed(table, {{"cosine", "true"}}, "offsets"), TextRole::y_label) ==
          "Cosine Similarity");
    CHECK_THROWS_WITH_AS(composed(table, {{"cosine", "true"}}, "waves"),
                         "--cosine: has no effect on --plot waves, only on similarity, offsets",
                         UsageError);
}

TEST_CASE("plots: norms are a curve over the positions from 0 on") {
    const Figure figure = composed(table_of({{3, 4}, {0, 0}, {6, 8}}), {}, "norms");
    const std::vector<Curve> curves = curves_of(figure);
    REQUIRE(curves.size() == 1);
    REQUIRE(curves[0].points.size() == 3);
    const double zero = curves[0].points[1].y, ten = curves[0].points[2].y;
    CHECK(curves[0].points[0].y == doctest::Approx((zero + ten) / 2));
    CHECK(joined(figure, TextRole::y_label) == "Norm");
}

TEST_CASE("plots: maps are channels on the grid of the rows, behind a class token") {
    const Table table = table_from(5, 2, [](std::int64_t row, std::int64_t column) {
        return row == 0 ? -100.0 : static_cast<double>(column == 0 ? row : -row);
    });
    const Figure figure = composed(table, {}, "maps");
    CHECK(joined(figure, TextRole::panel_title) == "channel 0|channel 1");
    CHECK(figure.grids[0].grid.width == figure.grids[0].grid.height);
    CHECK(at(figure.grids[0], 0.1, 0.1) < at(figure.grids[0], 0.9, 0.1));
    CHECK(at(figure.grids[0], 0.9, 0.9) == 255);
    CHECK(at(figure.grids[1], 0.9, 0.9) == 0);
    CHECK(joined(composed(table, {{"channels", "1"}}, "maps"), TextRole::panel_title) ==
          "channel 1");
    const Figure wide = composed(table, {{"row-grid", "1x5"}}, "maps");
    CHECK(wide.grids[0].grid.width == doctest::Approx(5 * wide.grids[0].grid.height).epsilon(0.1));
    CHECK_THROWS_WITH_AS(composed(table_of({{1}, {2}, {3}}), {}, "maps"),
                         "--plot maps: 3 rows are no square grid; give it with --row-grid, as in "
                         "--row-grid 14x14",
                         UsageError);
    CHECK_THROWS_WITH_AS(composed(table, {{"row-grid", "2x3"}}, "maps"),
                         "--row-grid 2x3: must be whole numbers, of at most 5 points, the rows of "
                         "the table",
                         UsageError);
}

TEST_CASE("plots: maps of slow waves share the limits of all") {
    const Table table = table_from(5, 2, [](std::int64_t row, std::int64_t column) {
        return column == 0 ? static_cast<double>(row - 2) / 2 : static_cast<double>(row) / 100;
    });
    CHECK(joined(composed(table, {{"row-grid", "1x5"}}, "maps"), TextRole::panel_title) ==
          "channel 0|channel 1");
    CHECK(joined(composed(table, {{"row-grid", "1x5"}, {"limits", "own"}}, "maps"),
                 TextRole::panel_title) == "channel 0: −1 to 1|channel 1: 0 to 0.04");
}

TEST_CASE("plots: patches have gaps between all tiles or between none") {
    const auto has_gaps = [](int height, int lines) {
        const Table table = table_from(height * height, 2, [](std::int64_t row, std::int64_t) {
            return static_cast<double>(row + 1);
        });
        const Figure figure =
            compose_figure(table, with({{"plot", "patches"}}), window_medium(80, lines));
        return std::ranges::count(figure.grids[0].grid.indices, no_value) > 0;
    };
    CHECK(has_gaps(4, 24));
    CHECK_FALSE(has_gaps(14, 24));
}

TEST_CASE("plots: patches whose cosines have one sign are in a sequential map") {
    const Table alike = table_of({{1, 0}, {1, 1}, {1, 2}, {1, 3}});
    const Table opposed = table_of({{1, 0}, {-1, 1}, {1, 2}, {1, 3}});
    CHECK(composed(alike, {}, "patches").palette == find_palette("viridis"));
    CHECK(composed(alike, {{"cmap", "gray"}}, "patches").palette == find_palette("gray"));
    CHECK(composed(opposed, {}, "patches").palette == find_palette("coolwarm"));
}

TEST_CASE("plots: the two axes of a square grid have the same steps") {
    const Table table = table_from(
        196, 2, [](std::int64_t row, std::int64_t) { return static_cast<double>(row + 1); });
    const Figure figure = composed(table, {{"figsize", "5x3.2"}, {"font-size", "9"}}, "patches");
    CHECK(joined(figure, TextRole::x_tick) == joined(figure, TextRole::y_tick));
}

TEST_CASE("plots: patches are tiles of the similarities of a patch, with gaps between them") {
    // Patches of the same row are alike, those of different rows at right angles.
    const Table table = table_from(
        4, 2, [](std::int64_t row, std::int64_t column) { return row / 2 == column ? 1.0 : 0.0; });
    const Figure figure = composed(table, {}, "patches");
    const PlacedGrid& grid = figure.grids[0];  // 5 x 5 cells
    CHECK(at(grid, 0.1, 0.1) == 255);
    CHECK(at(grid, 0.3, 0.1) == 255);
    CHECK(at(grid, 0.1, 0.3) == 0);
    CHECK(at(grid, 0.5, 0.1) == no_value);
    CHECK(at(grid, 0.1, 0.5) == no_value);
    CHECK(at(grid, 0.7, 0.7) == 0);
    CHECK(at(grid, 0.7, 0.9) == 255);
    CHECK(joined(figure, TextRole::x_tick) == "0|1");
    CHECK(joined(figure, TextRole::y_tick) == "0|1");
    CHECK(joined(figure, TextRole::colorbar_label) == "Cosine Similarity");
}

TEST_CASE("plots: decay is the mean of the sums of rotations, and of rotary encodings only") {
    Table table = powers(2, 2);
    table.provenance.encoding = "rope";
    table.sibling = [](const Sibling& wanted) {
        if (wanted.table != "freqs-cis") throw UsageError("has no such table");
        // Two pairs, of 1/4 and 1/2 turn per position, times 2.
        Table rotations = table_of({{2, 0}, {2, 0}, {0, 2}, {-2, 0}, {-2, 0}, {2, 0}});
        rotations.shape = {3, 2, 2};
        rotations.axes = {{AxisKind::position, "position", "Position"},
                          {AxisKind::frequency, "frequency", "Frequency"},
                          {AxisKind::function, "function", "Function"}};
        return rotations;
    };
    const Figure figure = composed(table, {}, "decay");
    CHECK(figure.title == "rope: Bound of the Score (d=4)");
    const std::vector<Curve> curves = curves_of(figure);
    REQUIRE(curves.size() == 1);
    REQUIRE(curves[0].points.size() == 3);
    // |S_1| = 1; |S_2| = 2, |i - 1| and |-1 + 1|: means 1.5, (1 + sqrt 2) / 2 and 0.5.
    const double top = curves[0].points[0].y, low = curves[0].points[2].y;
    const double share = (low - curves[0].points[1].y) / (low - top);
    CHECK(share == doctest::Approx((1 + std::sqrt(2.0)) / 2 - 0.5));
    table.other = [sibling = table.sibling](std::string_view, std::string_view name) {
        return sibling({.table = name});
    };
    CHECK(composed(table, {{"with", "llama3"}}, "decay").title == "Bound of the Score");
    table.sibling = [](const Sibling&) -> Table { throw UsageError("has no such table"); };
    CHECK_THROWS_WITH_AS(composed(table, {}, "decay"),
                         "--plot decay: is for rotary encodings, and this is none", UsageError);
}
