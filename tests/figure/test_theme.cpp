#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/options.h"
#include "figure/paint.h"
#include "figure/plot.h"
#include "figure/theme.h"

using namespace pegen;

namespace {

/// Returns the opacity of a pixel.
int opacity_at(const Image& image, int x, int y) {
    const std::size_t pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                              static_cast<std::size_t>(x);
    return image.opacities.empty() ? 255 : image.opacities[image.pixels[pixel]];
}

const Table with_a_gap = table_of({{0, NAN, 1}, {1, 0.5, 0}});

}  // namespace

TEST_CASE("theme: curves on a dark ground are light") {
    const auto luminance = [](Rgb colour) {
        const auto linear = [](std::uint8_t part) {
            const double share = part / 255.0;
            return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    };
    const Table table = table_from(
        9, 10, [](auto row, auto column) { return static_cast<double>(row + 10 * column); });
    Options options{{"plot", "waves"}, {"channels", "0,1,2,3,4,5,6,7,8,9"}};
    const Figure light = compose_figure(table, with(options));
    options.emplace_back("background", "#121212");
    const Figure dark = compose_figure(table, with(options));
    std::set<Rgb> colours;
    for (const Curve& curve : dark.curves) {
        CHECK((luminance(curve.colour) + 0.05) / (luminance(dark.theme.ground) + 0.05) >= 7);
        colours.insert(curve.colour);
    }
    CHECK(colours.size() == 10);
    CHECK(light.curves.front().colour == Rgb{0x1f, 0x77, 0xb4});
}

TEST_CASE("theme: colours are of the theme, or given in hexadecimal digits") {
    CHECK(theme_of(with({})) == Theme());
    CHECK(theme_of(with({{"theme", "dark"}})) == dark_theme());
    CHECK(theme_of(with({{"background", "#fdf6e3"}})).ground == Rgb{0xfd, 0xf6, 0xe3});
    const Theme both = theme_of(with({{"theme", "dark"}, {"foreground", "#aBc"}}));
    CHECK(both.ink == Rgb{0xaa, 0xbb, 0xcc});
    CHECK(both.ground == dark_theme().ground);
    for (const char* const wrong : {"red", "#12", "#12345", "#1234567", "#ggg", "123456", ""}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS(theme_of(with({{"background", wrong}})), UsageError);
    }
}

TEST_CASE("theme: ground, gaps, frames and texts have its colours, cells have the map's") {
    for (const std::string_view colormap : {"coolwarm", "gray"}) {
        const Options options{{"theme", "dark"}, {"cmap", colormap}};
        const Image image = draw_figure(with_a_gap, with(options));
        CHECK(image.opacities.empty());
        CHECK(image.at(2, 2) == dark_theme().ground);
        CHECK(image.at(435, 250) == dark_theme().ground);  // NaN
        CHECK(image.at(125, 400) == dark_theme().ink);     // the frame
        CHECK(image.at(200, 200) == find_palette(colormap)[0]);
    }
    const Table one =
        table_from(40, 1, [](auto row, auto) { return std::sin(0.3 * static_cast<double>(row)); });
    const Image curve = draw_figure(one, with({{"theme", "dark"}, {"plot", "waves"}}));
    CHECK(curve.at(2, 2) == dark_theme().ground);
}

TEST_CASE("theme: a transparent figure has no ground, and edges that cover it partly") {
    for (const std::string_view colormap : {"coolwarm", "gray"}) {
        const Image image =
            draw_figure(with_a_gap, with({{"transparent", "true"}, {"cmap", colormap}}));
        CHECK(opacity_at(image, 2, 2) == 0);
        CHECK(opacity_at(image, 435, 250) == 0);
        CHECK(opacity_at(image, 125, 400) == 255);
        CHECK(opacity_at(image, 200, 200) == 255);
        std::set<int> of_letters;
        for (int y = 60; y < 95; ++y) {
            for (int x = 300; x < 600; ++x) of_letters.insert(opacity_at(image, x, y));
        }
        CHECK(of_letters.size() > 4);
    }
}

TEST_CASE("theme: where curves cross, no page shines through a transparent figure") {
    const Table waves = table_from(100, 2, [](auto row, auto column) {
        return std::sin((column == 0 ? 0.9 : 0.1) * static_cast<double>(row));
    });
    const Image image =
        draw_figure(waves, with({{"plot", "waves"}, {"channels", "0,1"}, {"transparent", "true"}}));
    // A pixel in the middle of four covered ones is covered.
    for (int y = 100; y < 700; ++y) {
        for (int x = 130; x < 740; ++x) {
            const bool is_within =
                opacity_at(image, x - 1, y) == 255 && opacity_at(image, x + 1, y) == 255 &&
                opacity_at(image, x, y - 1) == 255 && opacity_at(image, x, y + 1) == 255;
            if (is_within) REQUIRE(opacity_at(image, x, y) == 255);
        }
    }
}
