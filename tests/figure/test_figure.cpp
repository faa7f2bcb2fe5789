#include <doctest/doctest.h>

#include <cmath>

#include "figure/fake_table.h"
#include "pegen/core/error.h"
#include "pegen/core/names.h"
#include "pegen/core/parallel.h"
#include "pegen/figure/colormap.h"
#include "pegen/figure/figure.h"

using namespace pegen;

namespace {

using Options = std::vector<std::pair<std::string_view, std::string_view>>;

Parameters with(const Options& options) {
    Parameters parameters(figure_parameters());
    for (const auto& [name, value] : options) parameters.set(name, value, Origin::user);
    return parameters;
}

Table ramp(std::int64_t rows, std::int64_t columns) {
    return table_from(rows, columns, [=](std::int64_t row, std::int64_t column) {
        return static_cast<double>(row * columns + column);
    });
}

constexpr Rgb white{255, 255, 255};

bool has_ink(const Image& image, int left, int top, int right, int bottom) {
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            if (image.at(x, y) != white) return true;
        }
    }
    return false;
}

// Where texts are in a figure of 1000 x 800 pixels whose tick labels have two digits at most.
bool has_title(const Image& image) { return has_ink(image, 125, 60, 745, 95); }
bool has_x_label(const Image& image) { return has_ink(image, 125, 738, 745, 760); }
bool has_y_label(const Image& image) { return has_ink(image, 40, 200, 105, 600); }
bool has_colorbar_label(const Image& image) { return has_ink(image, 845, 200, 900, 600); }

}  // namespace

TEST_CASE("figure: is 1000 x 800 pixels if nothing is asked for") {
    const Image image = draw_figure(ramp(4, 4), with({}));
    CHECK(image.width == 1000);
    CHECK(image.height == 800);
    CHECK(image.dpi == 100);
    CHECK(image.at(0, 0) == white);
    CHECK(image.at(125, 400) == Rgb{0, 0, 0});
    CHECK(image.at(130, 100) == find_palette("coolwarm")[0]);
}

TEST_CASE("figure: row 0 is on top and the last axis to the right") {
    const Table table = ramp(2, 2);
    const Palette palette = find_palette("coolwarm");
    const Image image = draw_figure(table, with({}));
    CHECK(image.at(250, 200) == palette[0]);
    CHECK(image.at(600, 200) == palette[85]);
    CHECK(image.at(250, 600) == palette[170]);
    CHECK(image.at(600, 600) == palette[255]);
    const Image turned = draw_figure(table, with({{"transpose", "true"}}));
    CHECK(turned.at(600, 200) == palette[170]);
    CHECK(turned.at(250, 600) == palette[85]);
}

TEST_CASE("figure: the colour bar has the last colour on top") {
    const Palette palette = find_palette("coolwarm");
    const Image image = draw_figure(ramp(2, 2), with({}));
    CHECK(image.at(800, 98) == palette[254]);
    CHECK(image.at(800, 710) == palette[0]);
    CHECK(image.at(800, 403) == palette[128]);
}

TEST_CASE("figure: the bare heatmap has one pixel or a cell for each value") {
    const Image bare = draw_figure(ramp(2, 3), with({{"no-axes", "true"}, {"cmap", "gray"}}));
    CHECK(bare.width == 3);
    CHECK(bare.height == 2);
    CHECK(bare.pixels == std::vector<Rgb>{{0, 0, 0},
                                          {51, 51, 51},
                                          {102, 102, 102},
                                          {153, 153, 153},
                                          {204, 204, 204},
                                          {255, 255, 255}});
    const Image cells = draw_figure(ramp(2, 3), with({{"cell", "5"}, {"transpose", "true"}}));
    CHECK(cells.width == 10);
    CHECK(cells.height == 15);
    CHECK(cells.at(4, 9) == find_palette("coolwarm")[51]);
}

TEST_CASE("figure: vmin and vmax set the limits") {
    const Options limits{{"no-axes", "true"}, {"cmap", "gray"}, {"vmin", "0"}, {"vmax", "256"}};
    CHECK(draw_figure(table_of({{-1, 64, 300}}), with(limits)).pixels ==
          std::vector<Rgb>{{0, 0, 0}, {64, 64, 64}, {255, 255, 255}});
}

TEST_CASE("figure: limits that are not apart are refused") {
    CHECK_THROWS_WITH_AS(draw_figure(ramp(2, 2), with({{"vmin", "1"}, {"vmax", "1"}})),
                         "--vmin 1: must be below --vmax 1", UsageError);
    CHECK_THROWS_WITH_AS(draw_figure(ramp(2, 2), with({{"vmin", "3"}})),
                         "--vmin 3: must be below the largest value, 3", UsageError);
    CHECK_THROWS_WITH_AS(draw_figure(ramp(2, 2), with({{"vmax", "-1"}})),
                         "the smallest value, 0: must be below --vmax -1", UsageError);
}

// As matplotlib 3.6.3 draws it once there is a colour bar.
TEST_CASE("figure: a constant table has a colour of the middle") {
    const Palette palette = find_palette("coolwarm");
    for (const double value : {0.0, 1.0, -5.0}) {
        const Image image = draw_figure(table_of({{value, value}}), with({}));
        const bool is_middle =
            image.at(300, 300) == palette[127] || image.at(300, 300) == palette[128];
        CHECK(is_middle);
    }
}

TEST_CASE("figure: NaN is drawn as background") {
    const Image image = draw_figure(table_of({{0, NAN}, {1, INFINITY}}), with({}));
    CHECK(image.at(600, 200) == white);
    CHECK(image.at(600, 600) == white);
    CHECK(image.at(250, 600) == find_palette("coolwarm")[255]);
    const Image none = draw_figure(table_of({{NAN}}), with({}));
    CHECK(none.at(400, 400) == white);
}

TEST_CASE("figure: texts are the table's unless given") {
    const Image own = draw_figure(ramp(4, 4), with({}));
    CHECK(has_title(own));
    CHECK(has_x_label(own));
    CHECK(has_y_label(own));
    CHECK(has_colorbar_label(own));
    const Image none = draw_figure(
        ramp(4, 4), with({{"title", ""}, {"xlabel", ""}, {"ylabel", ""}, {"colorbar-label", ""}}));
    CHECK_FALSE(has_title(none));
    CHECK_FALSE(has_x_label(none));
    CHECK_FALSE(has_y_label(none));
    CHECK_FALSE(has_colorbar_label(none));
}

TEST_CASE("figure: transposing takes the labels along") {
    const Table table = ramp(4, 4);
    const Image turned = draw_figure(table, with({{"transpose", "true"}}));
    const Image expected = draw_figure(table, with({{"transpose", "true"},
                                                    {"xlabel", "Sequence Position(max_len)"},
                                                    {"ylabel", "Embedding Dimension(d_model)"}}));
    CHECK(turned.pixels == expected.pixels);
}

TEST_CASE("figure: a table of one axis is a column") {
    Table table = ramp(6, 1);
    table.shape = {6};
    table.axes = {{"position", "Position"}};
    const Image image = draw_figure(table, with({}));
    CHECK(has_y_label(image));
    CHECK_FALSE(has_x_label(image));
    CHECK(image.at(400, 100) == find_palette("coolwarm")[0]);
    CHECK(image.at(400, 705) == find_palette("coolwarm")[255]);
}

TEST_CASE("figure: the leading axes of a larger table are one") {
    Table table = ramp(6, 4);
    table.shape = {2, 3, 4};
    table.axes = {{"head", "Head"}, {"query", "Query"}, {"key", "Key"}};
    const Image image = draw_figure(table, with({}));
    CHECK(image.pixels ==
          draw_figure(table, with({{"xlabel", "Key"}, {"ylabel", "head x query"}})).pixels);
}

TEST_CASE("figure: a table without axes is one cell") {
    Table table = ramp(1, 1);
    table.shape = Shape();
    table.axes = {};
    CHECK_NOTHROW(draw_figure(table, with({})));
}

TEST_CASE("figure: an empty table is refused") {
    CHECK_THROWS_WITH_AS(draw_figure(table_from(0, 4, {}), with({})),
                         "a table of shape (0, 4): has no values to draw", UsageError);
}

TEST_CASE("figure: a bare heatmap of too many pixels is refused before it is computed") {
    Table table = ramp(1 << 22, 128);
    table.rows = [](RowRange, std::span<std::byte>) { FAIL("rows were asked for"); };
    CHECK_THROWS_WITH_AS(draw_figure(table, with({{"no-axes", "true"}})),
                         "a picture of 128 x 4194304 pixels: must have at most 2^28 pixels, such "
                         "as 16384 x 16384",
                         UsageError);
    CHECK_THROWS_AS(draw_figure(table, with({{"title", "\u4f4d"}})), UsageError);
}

TEST_CASE("figure: --cmap offers every colormap and its reverse") {
    CHECK(figure_parameters().front().name == "cmap");
    CHECK(figure_parameters().front().choices == colormap_words());
    CHECK_THROWS_AS(with({{"cmap", "jet"}}), UsageError);
    CHECK_NOTHROW(with({{"cmap", "coolwarm_r"}}));
}

TEST_CASE("figure: every parameter has a summary without capital or period") {
    for (const ParameterSpec& spec : figure_parameters()) {
        CAPTURE(spec.name);
        REQUIRE(!spec.summary.empty());
        CHECK(!spec.summary.ends_with('.'));
        CHECK(!(spec.summary.front() >= 'A' && spec.summary.front() <= 'Z'));
    }
}

TEST_CASE("figure: sizes are inches times dpi") {
    const Image image = draw_figure(ramp(4, 4), with({{"figsize", "6.4x4.8"}, {"dpi", "72"}}));
    CHECK(image.width == 461);
    CHECK(image.height == 346);
    CHECK(image.dpi == 72);
}

TEST_CASE("figure: the same pixels for any number of threads") {
    const Table table = ramp(3000, 50);
    const int threads = thread_count();
    const Image many = draw_figure(table, with({}));
    limit_threads(1);
    const Image one = draw_figure(table, with({}));
    limit_threads(threads);
    CHECK(many.pixels == one.pixels);
}
