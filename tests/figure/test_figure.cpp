#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "figure/colormap.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/options.h"
#include "figure/pixels.h"

using namespace pegen;

namespace {

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

// These functions look for texts in a figure of 1000 x 800 pixels whose tick labels have at most
// two digits.
bool has_title(const Image& image) { return has_ink(image, 125, 60, 745, 95); }
bool has_x_label(const Image& image) { return has_ink(image, 125, 738, 745, 760); }
bool has_y_label(const Image& image) { return has_ink(image, 40, 200, 105, 600); }
bool has_colorbar_label(const Image& image) { return has_ink(image, 845, 200, 900, 600); }

}  // namespace

TEST_CASE("figure: has 1000 x 800 pixels by default") {
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

TEST_CASE(
    "figure: the sinusoid of 400 x 128 has the colours of matplotlib 3.6.3 or neighbouring ones") {
    // The expected palette indices at x = 130, 168, ... and y = 100, 138, ...
    constexpr std::array<int, 256> expected{
        93,  206, 215, 183, 158, 155, 172, 201, 230, 250, 255, 242, 217, 184, 153, 132, 135, 112,
        189, 6,   181, 241, 216, 214, 232, 249, 254, 243, 218, 185, 154, 133, 158, 38,  42,  146,
        14,  141, 205, 207, 225, 245, 253, 243, 219, 186, 155, 134, 197, 100, 60,  235, 252, 24,
        151, 183, 210, 238, 250, 243, 220, 187, 156, 134, 223, 201, 202, 36,  47,  74,  90,  149,
        190, 228, 247, 243, 221, 188, 157, 135, 221, 190, 200, 75,  130, 207, 56,  112, 164, 215,
        242, 242, 221, 189, 157, 136, 192, 87,  60,  249, 206, 211, 64,  82,  136, 200, 236, 241,
        222, 190, 158, 136, 156, 39,  43,  98,  3,   85,  104, 65,  108, 183, 230, 240, 223, 191,
        159, 137, 133, 129, 191, 22,  244, 26,  151, 64,  82,  165, 223, 238, 223, 192, 160, 137,
        86,  211, 215, 221, 71,  129, 180, 77,  61,  146, 215, 236, 224, 194, 161, 138, 44,  180,
        79,  170, 99,  232, 181, 101, 45,  127, 206, 234, 224, 194, 162, 139, 35,  62,  35,  5,
        226, 168, 158, 128, 36,  107, 197, 232, 224, 195, 163, 139, 45,  51,  169, 160, 0,   36,
        122, 151, 34,  88,  187, 229, 225, 196, 164, 140, 68,  142, 226, 227, 227, 48,  91,  165,
        40,  71,  177, 226, 225, 197, 165, 141, 87,  218, 93,  31,  97,  194, 75,  168, 54,  54,
        166, 223, 225, 198, 166, 141, 134, 151, 28,  88,  73,  235, 83,  161, 73,  40,  155, 219,
        225, 199, 166, 142};
    const Table table = table_from(400, 128, [](std::int64_t row, std::int64_t column) {
        const double angle =
            static_cast<double>(row) / std::pow(10000.0, static_cast<double>(column / 2 * 2) / 128);
        return static_cast<double>(
            static_cast<float>(column % 2 == 0 ? std::sin(angle) : std::cos(angle)));
    });
    const Image image = draw_figure(table, with({}));
    const Palette palette = find_palette("coolwarm");
    int equal = 0;
    for (int place = 0; place < 256; ++place) {
        const Rgb pixel = image.at(130 + 38 * (place % 16), 100 + 38 * (place / 16));
        const int number = expected[static_cast<std::size_t>(place)];
        for (int beside = std::max(0, number - 1); beside <= std::min(255, number + 1); ++beside) {
            if (pixel == palette[static_cast<std::size_t>(beside)]) {
                ++equal;
                break;
            }
        }
    }
    CHECK(equal >= 250);  // 97.6 %
}

// floor(256 (v + 1) / 2) of the values of NumPy 1.24 for base 10000; another base changes hundreds.
TEST_CASE("figure: each cell of the sinusoid of 400 x 128 has the colour of its value") {
    const Encoding& sinusoid = *find_encoding("sinusoid");
    Parameters parameters(sinusoid.parameters);
    parameters.set_all("--d 128 --len 400", Origin::user);
    const Table table = make_table(sinusoid, sinusoid.tables.front(), parameters, DType::float32);
    const Figure figure = compose_figure(table, with({{"no-axes", "true"}}));
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const std::uint16_t index : figure.grids.front().grid.indices) {
        hash = (hash ^ index) * 0x100000001b3;
    }
    CHECK(hash == 0x82b49f24049a5b5f);
}

TEST_CASE("figure: the bare heatmap has one pixel or a cell for each value") {
    const Image bare = draw_figure(ramp(2, 3), with({{"no-axes", "true"}, {"cmap", "gray"}}));
    CHECK(bare.width == 3);
    CHECK(bare.height == 2);
    CHECK(pixels(bare) == std::vector<Rgb>{{0, 0, 0},
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
    CHECK(pixels(draw_figure(table_of({{-1, 64, 300}}), with(limits))) ==
          std::vector<Rgb>{{0, 0, 0}, {64, 64, 64}, {255, 255, 255}});
}

TEST_CASE("figure: limits that do not differ are refused") {
    CHECK_THROWS_WITH_AS(draw_figure(ramp(2, 2), with({{"vmin", "1"}, {"vmax", "1"}})),
                         "--vmin 1: must be below --vmax 1", UsageError);
    CHECK_THROWS_WITH_AS(draw_figure(ramp(2, 2), with({{"vmin", "3"}})),
                         "--vmin 3: must be below the largest value, 3", UsageError);
    CHECK_THROWS_WITH_AS(draw_figure(ramp(2, 2), with({{"vmax", "-1"}})),
                         "the smallest value, 0: must be below --vmax -1", UsageError);
}

namespace {

/// Returns the palette indices of a row of values.
std::vector<std::uint16_t> indices_of(std::vector<double> values, Options options) {
    options.emplace_back("no-axes", "true");
    return compose_figure(table_of({std::move(values)}), with(options)).grids.front().grid.indices;
}

}  // namespace

TEST_CASE("figure: --vcentre has the colour in the middle, and all values have colours") {
    using Indices = std::vector<std::uint16_t>;
    CHECK(indices_of({-1, 0, 3}, {{"vcentre", "0"}}) == Indices{85, 128, 255});
    CHECK(indices_of({-1, 0, 3}, {{"vcentre", "2"}}) == Indices{0, 42, 170});
    CHECK(indices_of({1, 2, 3}, {{"vcentre", "0"}}) == Indices{170, 213, 255});
    CHECK(indices_of({0, 0, 0}, {{"vcentre", "0"}}) == Indices{128, 128, 128});
    CHECK(indices_of({NAN, NAN, INFINITY}, {{"vcentre", "0"}}) == Indices(3, no_value));
}

TEST_CASE("figure: --vcentre mirrors the limit that is given") {
    using Indices = std::vector<std::uint16_t>;
    CHECK(indices_of({-1, 0, 3}, {{"vcentre", "0"}, {"vmax", "2"}}) == Indices{64, 128, 255});
    CHECK(indices_of({-1, 0, 3}, {{"vcentre", "0"}, {"vmin", "-4"}}) == Indices{96, 128, 224});
    CHECK(indices_of({-1, 0, 3}, {{"vcentre", "1"}, {"vmax", "3"}}) == Indices{0, 64, 255});
    CHECK(indices_of({-1, 0, 3}, {{"vcentre", "1"}, {"vmin", "-1"}}) == Indices{0, 64, 255});
}

TEST_CASE("figure: limits that contradict --vcentre are refused") {
    const auto draw = [](Options options) { indices_of({-1, 3}, std::move(options)); };
    CHECK_THROWS_WITH_AS(draw({{"vcentre", "1"}, {"vmin", "1"}}),
                         "--vmin 1: must be below --vcentre 1", UsageError);
    CHECK_THROWS_WITH_AS(draw({{"vcentre", "1"}, {"vmax", "0"}}),
                         "--vmax 0: must be above --vcentre 1", UsageError);
    CHECK_THROWS_WITH_AS(draw({{"vcentre", "1"}, {"vmin", "0"}, {"vmax", "2"}}),
                         "--vcentre 1: contradicts --vmin and --vmax, or follows from them; leave "
                         "one of the three out",
                         UsageError);
    CHECK_THROWS_WITH_AS(draw({{"vcentre", "1.7e308"}, {"vmin", "-1.7e308"}}),
                         "--vcentre 1.7e+308: is so far from the values that a limit would exceed "
                         "the largest double; use --vmin and --vmax",
                         UsageError);
}

// As matplotlib 3.6.3 draws it once there is a colour bar.
TEST_CASE("figure: a constant table has the colour in the middle") {
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
    const Image bare = draw_figure(table_of({{0, NAN, 1}}), with({{"no-axes", "true"}}));
    const Palette palette = find_palette("coolwarm");
    CHECK(pixels(bare) == std::vector<Rgb>{palette[0], white, palette[255]});
}

TEST_CASE("figure: a bare heatmap has each of the 256 colours of its map") {
    for (const Colormap* colormap : all_colormaps()) {
        const Image bare =
            draw_figure(ramp(16, 16), with({{"cmap", colormap->name}, {"no-axes", "true"}}));
        const Palette palette = colormap->colours();
        CHECK(pixels(bare) == std::vector<Rgb>(palette.begin(), palette.end()));
    }
}

TEST_CASE("figure: letters and ticks are black and ten greys") {
    const Image image = draw_figure(ramp(4, 4), with({}));
    std::set<Rgb> colours;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < 120; ++x) colours.insert(image.at(x, y));
        for (int x = 820; x < image.width; ++x) colours.insert(image.at(x, y));
    }
    CHECK(colours.size() == 12);
    CHECK(colours.contains({0, 0, 0}));
    CHECK(colours.contains({116, 116, 116}));
    CHECK(colours.contains(white));
}

TEST_CASE("figure: thin frames are seen on the heatmap") {
    for (const std::string_view dpi : {"24", "30", "40", "60", "100", "150"}) {
        CAPTURE(dpi);
        const Image image = draw_figure(ramp(4, 4), with({{"dpi", dpi}}));
        const int left = image.width / 8;
        const std::array<Rgb, 3> around{image.at(left - 1, image.height / 2),
                                        image.at(left, image.height / 2),
                                        image.at(left + 1, image.height / 2)};
        CHECK(std::count(around.begin(), around.end(), Rgb{0, 0, 0}) >= 1);
    }
}

TEST_CASE("figure: texts are the table's unless options give them") {
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

TEST_CASE("figure: transposing exchanges the labels") {
    const Table table = ramp(4, 4);
    const Image turned = draw_figure(table, with({{"transpose", "true"}}));
    const Image expected = draw_figure(table, with({{"transpose", "true"},
                                                    {"xlabel", "Sequence Position(max_len)"},
                                                    {"ylabel", "Embedding Dimension(d_model)"}}));
    CHECK(pixels(turned) == pixels(expected));
}

TEST_CASE("figure: a heatmap of one axis is a column") {
    Table table = ramp(6, 1);
    table.shape = {6};
    table.axes = {{AxisKind::position, "position", "Position"}};
    const Image image = draw_figure(table, with({{"plot", "heatmap"}}));
    CHECK(has_y_label(image));
    CHECK_FALSE(has_x_label(image));
    CHECK(image.at(400, 100) == find_palette("coolwarm")[0]);
    CHECK(image.at(400, 705) == find_palette("coolwarm")[255]);
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
    table.rows =
        rows_like(table, [](RowRange, std::span<std::byte>) { FAIL("rows were asked for"); });
    CHECK_THROWS_WITH_AS(draw_figure(table, with({{"no-axes", "true"}})),
                         "a picture of 128 x 4194304 pixels: at most 2^28 pixels, such as 16384 x "
                         "16384; --figsize is in inches of --dpi pixels",
                         UsageError);
    CHECK_THROWS_AS(draw_figure(table, with({{"title", "\u4f4d"}, {"font", "builtin"}})),
                    UsageError);
}

TEST_CASE("figure: --cmap offers every colormap and its reverse") {
    const auto cmap = std::find_if(figure_parameters().begin(), figure_parameters().end(),
                                   [](const ParameterSpec& spec) { return spec.name == "cmap"; });
    REQUIRE(cmap != figure_parameters().end());
    CHECK(cmap->choices == colormap_words());
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
    const Table table = ramp(60000, 50);  // enough work for threads
    const int threads = thread_count();
    const Image many = draw_figure(table, with({}));
    limit_threads(1);
    const Image one = draw_figure(table, with({}));
    limit_threads(threads);
    CHECK(pixels(many) == pixels(one));
}

TEST_CASE("figure: the heads of a bias are panels with one colour bar") {
    Table table = ramp(6, 4);
    table.shape = {2, 3, 4};
    table.axes = {{AxisKind::head, "head", "Head"},
                  {AxisKind::query, "query", "Query"},
                  {AxisKind::key, "key", "Key"}};
    const Figure figure = compose_figure(table, with({}));
    REQUIRE(figure.grids.size() == 3);
    CHECK(figure.grids[0].grid.indices.front() == 0);
    CHECK(figure.grids[1].grid.indices.front() == 133);  // 12 of 0 ... 23
    CHECK(figure.grids[1].grid.indices.back() == 255);
    CHECK(figure.grids[0].left < figure.grids[1].left);
    const Figure second = compose_figure(table, with({{"select", "1"}}));
    REQUIRE(second.grids.size() == 2);
    CHECK(second.grids[0].grid.indices.front() == 0);
    CHECK_THROWS_WITH_AS(compose_figure(table, with({{"no-axes", "true"}})),
                         "--no-axes, --cell: draw one panel, and there are 2; choose one with "
                         "--select",
                         UsageError);
}

TEST_CASE("figure: an option that does nothing for the kind of picture is refused") {
    CHECK_THROWS_WITH_AS(compose_figure(ramp(4, 4), with({{"plot", "waves"}, {"cmap", "gray"}})),
                         "--cmap: has no effect on --plot waves, only on heatmap, similarity, "
                         "maps, patches",
                         UsageError);
    CHECK_THROWS_WITH_AS(compose_figure(ramp(4, 4), with({{"channels", "1"}})),
                         "--channels: has no effect on --plot heatmap, only on waves, maps",
                         UsageError);
}

TEST_CASE("figure: an option that does nothing for a bare heatmap is refused") {
    const Options idle{{"figsize", "3x3"},      {"xlabel", "x"},
                       {"ylabel", ""},          {"font", "/none"},
                       {"colorbar-label", "c"}, {"no-colorbar", "true"},
                       {"aspect", "equal"},     {"interpolation", "nearest"}};
    for (const auto& option : idle) {
        for (const std::string_view bare : {"no-axes", "cell"}) {
            const Options options{option, {bare, bare == "cell" ? "2" : "true"}};
            const std::string message = fmt::format(
                "--{}: has no effect on a bare heatmap; leave it out, or --no-axes and --cell",
                option.first);
            CHECK_THROWS_WITH_AS(draw_figure(ramp(4, 4), with(options)), message.c_str(),
                                 UsageError);
        }
    }
    // A PNG has its dpi, an SVG its title.
    CHECK(draw_figure(ramp(4, 4), with({{"cell", "2"}, {"dpi", "300"}})).dpi == 300);
    CHECK(compose_figure(ramp(4, 4), with({{"cell", "2"}, {"title", "t"}})).title == "t");
    CHECK_THROWS_WITH_AS(
        draw_figure(ramp(4, 4), with({{"no-colorbar", "true"}, {"colorbar-label", "c"}})),
        "--colorbar-label: has no effect with --no-colorbar", UsageError);
}

TEST_CASE("figure: an option that the user did not give may have no effect") {
    Parameters parameters = with({{"cell", "2"}});
    parameters.set("figsize", "3x3", Origin::preset);
    parameters.set("channels", "1", Origin::preset);
    CHECK(draw_figure(ramp(4, 4), parameters).width == 8);
    CHECK_FALSE(has_effect("figsize", ramp(4, 4), parameters));
    CHECK_FALSE(has_effect("channels", ramp(4, 4), parameters));
    CHECK(has_effect("cmap", ramp(4, 4), parameters));
    Parameters waves = with({{"plot", "waves"}});
    waves.set("no-axes", "true", Origin::preset);
    CHECK(draw_figure(ramp(4, 4), waves).width == 1000);
}

TEST_CASE("figure: in a window it keeps to the lines, and a bare one fits") {
    const Figure figure = compose_figure(ramp(100, 100), with({}), window_medium(80, 24));
    CHECK(figure.width == 80);
    CHECK(figure.height == 48);
    const Figure bare =
        compose_figure(ramp(100, 30), with({{"no-axes", "true"}}), window_medium(80, 24));
    CHECK(bare.width == 30);
    CHECK(bare.height == 48);
    // The table is resampled in a window, so nearest interpolation is accepted.
    CHECK_NOTHROW(compose_figure(ramp(100, 30),
                                 with({{"no-axes", "true"}, {"interpolation", "nearest"}}),
                                 window_medium(80, 24)));
}

namespace {

/// A heatmap whose pixels are 0, 1, 2, ...
IndexGrid counting(int width, int height) {
    IndexGrid grid{width, height,
                   std::vector<std::uint16_t>(static_cast<std::size_t>(width * height))};
    std::iota(grid.indices.begin(), grid.indices.end(), std::uint16_t{0});
    return grid;
}

}  // namespace

TEST_CASE("grids: a heatmap within the frame stays whole") {
    const Panel panel{{10, 20, 14, 23}, {10, 20, 4, 3}};
    const PlacedGrid placed = body_within_frame(panel, counting(4, 3));
    CHECK(placed.left == 10);
    CHECK(placed.top == 20);
    CHECK(placed.grid == counting(4, 3));
}

TEST_CASE("grids: pixels beyond the pixels of the frame are cut off") {
    // The frame is on pixels 11 to 13 and 21 to 22.
    const Panel panel{{11, 21, 13, 22}, {10, 20, 6, 4}};
    const PlacedGrid placed = body_within_frame(panel, counting(6, 4));
    CHECK(placed.left == 11);
    CHECK(placed.top == 21);
    CHECK(placed.grid == IndexGrid{3, 2, {7, 8, 9, 13, 14, 15}});
}
