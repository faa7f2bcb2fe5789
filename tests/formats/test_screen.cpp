#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <regex>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/names.h"
#include "figure/colormap.h"
#include "figure/figure.h"
#include "formats/png.h"
#include "formats/screen.h"
#include "formats/shown_pictures.h"

using namespace pegen;

namespace {

using Pixel = std::optional<Rgb>;
using Pixels = std::vector<Pixel>;

constexpr auto truecolor = TerminalColours::truecolor;
constexpr auto palette256 = TerminalColours::palette256;
constexpr auto none = TerminalColours::none;

constexpr Pixel no_pixel;
constexpr Rgb red{255, 0, 0};
constexpr Rgb blue{0, 0, 255};
constexpr Rgb black{0, 0, 0};
constexpr Rgb white{255, 255, 255};

/// One line of cells: the upper pixels, then the lower ones.
std::string line_of(Pixels upper, const Pixels& lower, TerminalColours colours = truecolor,
                    const std::vector<ScreenText>& texts = {}) {
    const auto columns = static_cast<int>(upper.size());
    upper.insert(upper.end(), lower.begin(), lower.end());
    return screen_text({columns, 1, upper, texts}, colours);
}

/// Four cells without pixels, and a text.
std::string line_with(const ScreenText& text, TerminalColours colours = truecolor) {
    return line_of(Pixels(4), Pixels(4), colours, {text});
}

/// A terminal that knows SGR with 24-bit colours, half blocks and spaces.
Pixels pixels_shown(const std::string& text, int columns, int lines) {
    Pixels pixels(static_cast<std::size_t>(2 * columns * lines));
    Pixel foreground, background;
    auto upper = pixels.begin();
    auto column = upper;
    const std::regex token("\x1b\\[([0-9;]*)m|\u2580|\u2584| |\n");
    const std::regex colour("(38|48);2;(\\d+);(\\d+);(\\d+)|39|49");
    for (std::sregex_iterator t(text.begin(), text.end(), token), end; t != end; ++t) {
        const std::string whole = t->str();
        if (whole == "\n") {
            upper += 2 * columns;
            column = upper;
        } else if (whole == "\x1b[m") {
            foreground = background = {};
        } else if (whole[0] == '\x1b') {
            const std::string codes = (*t)[1];
            for (std::sregex_iterator c(codes.begin(), codes.end(), colour); c != end; ++c) {
                Pixel& changed = c->str()[0] == '3' ? foreground : background;
                changed = {};
                if (!(*c)[1].matched) continue;
                const auto level = [&](std::size_t i) {
                    return static_cast<std::uint8_t>(std::stoi((*c)[i]));
                };
                changed = Rgb{level(2), level(3), level(4)};
            }
        } else {
            *column = whole == "\u2580" ? foreground : background;
            *(column + columns) = whole == "\u2584" ? foreground : background;
            ++column;
        }
    }
    return pixels;
}

std::size_t count_of(std::string_view part, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
    return count;
}

/// The colours of xterm's palette from 16 on.
std::vector<Rgb> cube_and_greys() {
    std::vector<Rgb> colours;
    const auto level = [](int i) { return static_cast<std::uint8_t>(i == 0 ? 0 : 55 + 40 * i); };
    for (int i = 0; i < 216; ++i) {
        colours.push_back({level(i / 36), level(i / 6 % 6), level(i % 6)});
    }
    for (int i = 0; i < 24; ++i) {
        const auto grey = static_cast<std::uint8_t>(8 + 10 * i);
        colours.push_back({grey, grey, grey});
    }
    return colours;
}

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

Vector operator*(const Matrix& matrix, const Vector& v) {
    Vector product{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) product[i] += matrix[i][j] * v[j];
    }
    return product;
}

/// OKLab by its first definition, from XYZ.
Vector oklab(Rgb colour) {
    constexpr Matrix to_xyz{{{0.4124564, 0.3575761, 0.1804375},
                             {0.2126729, 0.7151522, 0.0721750},
                             {0.0193339, 0.1191920, 0.9503041}}};
    constexpr Matrix to_lms{{{0.8189330101, 0.3618667424, -0.1288597137},
                             {0.0329845436, 0.9293118715, 0.0361456387},
                             {0.0482003018, 0.2643662691, 0.6338517070}}};
    constexpr Matrix to_lab{{{0.2104542553, 0.7936177850, -0.0040720468},
                             {1.9779984951, -2.4285922050, 0.4505937099},
                             {0.0259040371, 0.7827717662, -0.8086757660}}};
    Vector linear;
    for (std::size_t i = 0; i < 3; ++i) {
        const double share = colour[i] / 255.0;
        linear[i] = share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    }
    Vector lms = to_lms * (to_xyz * linear);
    for (double& response : lms) response = std::cbrt(response);
    return to_lab * lms;
}

double distance(Rgb one, Rgb other) {
    const Vector a = oklab(one), b = oklab(other);
    return std::hypot(a[0] - b[0], 2 * (a[1] - b[1]), 2 * (a[2] - b[2]));
}

/// Returns the number of the palette colour that is written for this colour.
int number_of(Rgb colour) {
    const std::string text = line_of({colour}, {colour}, palette256);
    REQUIRE(text.starts_with("\x1b[48;5;"));
    return std::stoi(text.substr(7));
}

}  // namespace

TEST_CASE("screen: a cell shows two pixels") {
    CHECK(line_of({red}, {blue}) == "\x1b[38;2;0;0;255;48;2;255;0;0m\u2584\x1b[m\n");
    CHECK(line_of({red}, {red}) == "\x1b[48;2;255;0;0m \x1b[m\n");
    CHECK(line_of({red}, {no_pixel}) == "\x1b[38;2;255;0;0m\u2580\x1b[m\n");
    CHECK(line_of({no_pixel}, {red}) == "\x1b[38;2;255;0;0m\u2584\x1b[m\n");
}

TEST_CASE("screen: colours are written only when they change") {
    CHECK(line_of({red, red, red}, {blue, blue, red}) ==
          "\x1b[38;2;0;0;255;48;2;255;0;0m\u2584\u2584 \x1b[m\n");
    CHECK(line_of({red, blue}, {blue, red}) ==
          "\x1b[38;2;0;0;255;48;2;255;0;0m\u2584\x1b[38;2;255;0;0;48;2;0;0;255m\u2584\x1b[m\n");
    CHECK(line_of({red, red, white}, {blue, black, black}) ==
          "\x1b[38;2;0;0;255;48;2;255;0;0m\u2584\x1b[38;2;0;0;0m\u2584"
          "\x1b[48;2;255;255;255m\u2584\x1b[m\n");
    // The foreground colour stays set across cells that do not show it.
    CHECK(line_of({red, white, red}, {blue, white, blue}) ==
          "\x1b[38;2;0;0;255;48;2;255;0;0m\u2584\x1b[48;2;255;255;255m \x1b[48;2;255;0;0m\u2584"
          "\x1b[m\n");
    CHECK(line_of({red, no_pixel, red}, {blue, no_pixel, blue}) ==
          "\x1b[38;2;0;0;255;48;2;255;0;0m\u2584\x1b[49m \x1b[48;2;255;0;0m\u2584\x1b[m\n");
}

TEST_CASE("screen: colours that are the same one of 256 are not written again") {
    const Rgb nearly_red{254, 1, 0};
    CHECK(line_of({red, nearly_red}, {nearly_red, red}, palette256) == "\x1b[48;5;196m  \x1b[m\n");
}

TEST_CASE("screen: every line ends in the terminal's own colours, after what is drawn last") {
    const Pixels pixels{red,      no_pixel, no_pixel, no_pixel, no_pixel, no_pixel,
                        no_pixel, no_pixel, red,      no_pixel, red,      no_pixel};
    CHECK(screen_text({2, 3, pixels, {}}, truecolor) ==
          "\x1b[38;2;255;0;0m\u2580\x1b[m\n\n\x1b[48;2;255;0;0m \x1b[m\n");
    CHECK(screen_text({2, 3, pixels, {}}, none) == ":\n\n:\n");
    CHECK(screen_text({0, 2, {}, {}}, truecolor) == "\n\n");
    CHECK(screen_text({3, 0, {}, {}}, truecolor).empty());
}

TEST_CASE("screen: a terminal shows the pixels of the screen") {
    std::mt19937 random(1);
    const std::array<Pixel, 4> choice{no_pixel, red, blue, Rgb{1, 22, 133}};
    for (int trial = 0; trial < 200; ++trial) {
        CAPTURE(trial);
        const int columns = 7, lines = 3;
        Pixels pixels(2 * columns * lines);
        for (Pixel& pixel : pixels) pixel = choice[random() % choice.size()];
        const std::string text = screen_text({columns, lines, pixels, {}}, truecolor);
        CHECK(pixels_shown(text, columns, lines) == pixels);
        CHECK(count_of("\x1b", text) <= (columns + 1) * lines);
    }
}

TEST_CASE("screen: of 256 colours the nearest is used") {
    const std::vector<Rgb> colours = cube_and_greys();
    std::vector<Rgb> wanted;
    for (const std::string_view map : {"coolwarm", "viridis", "gray"}) {
        for (const Rgb colour : find_palette(map)) wanted.push_back(colour);
    }
    std::mt19937 random(1);
    const auto level = [&] { return static_cast<std::uint8_t>(random() % 256); };
    for (int i = 0; i < 500; ++i) wanted.push_back({level(), level(), level()});

    for (const Rgb colour : wanted) {
        double least = std::numeric_limits<double>::infinity();
        for (const Rgb one : colours) least = std::min(least, distance(one, colour));
        const int number = number_of(colour);
        REQUIRE(number >= 16);
        REQUIRE(number <= 255);
        CHECK(distance(colours[static_cast<std::size_t>(number) - 16], colour) <= least + 1e-4);
    }
}

TEST_CASE("screen: colours of the 256 are themselves") {
    CHECK(number_of(black) == 16);
    CHECK(number_of({95, 135, 175}) == 67);
    CHECK(number_of(white) == 231);
    CHECK(number_of({8, 8, 8}) == 232);
    CHECK(number_of({238, 238, 238}) == 255);
}

TEST_CASE("screen: without colours lighter is more ink") {
    const Palette greys = find_palette("gray");
    const Pixels ramp(greys.begin(), greys.end());
    std::string text = line_of(ramp, ramp, none);
    CHECK(std::count(text.begin(), text.end(), '.') == 29);
    CHECK(std::count(text.begin(), text.end(), '@') == 28);
    text.erase(std::unique(text.begin(), text.end()), text.end());
    CHECK(text == ".:;+xoX8@\n");
    CHECK(line_of({red, Rgb{0, 255, 0}, blue}, {red, Rgb{0, 255, 0}, blue}, none) == ":X.\n");
}

TEST_CASE("screen: without colours a cell is the mean of those of its pixels that have a value") {
    CHECK(line_of({black, white, black, no_pixel}, {black, white, white, white}, none) == ".@x@\n");
    CHECK(line_of({no_pixel, black}, {no_pixel, no_pixel}, none) == " .\n");
}

TEST_CASE("screen: texts are over the pixels in the terminal's own colours") {
    const Pixels reds(4, red);
    CHECK(line_of(reds, reds, truecolor, {{1, 0, "ab"}}) ==
          "\x1b[48;2;255;0;0m \x1b[mab\x1b[48;2;255;0;0m \x1b[m\n");
    CHECK(line_of(reds, reds, none, {{1, 0, "ab"}, {3, 0, "c"}}) == ":abc\n");
    CHECK(line_of(reds, reds, truecolor, {{1, 0, "a  "}}) == "\x1b[48;2;255;0;0m \x1b[ma\n");
    CHECK(screen_text({2, 2, Pixels(8), {{1, 1, "a"}}}, truecolor) == "\n a\n");
}

TEST_CASE("screen: wide characters take two columns and marks none") {
    const Pixels reds(4, red);
    CHECK(line_of(reds, reds, none, {{1, 0, "位"}}) == ":位:\n");
    CHECK(line_of(reds, reds, none, {{1, 0, "e\u0301"}}) == ":e\u0301::\n");
    CHECK(line_with({0, 0, "位置"}) == "位置\n");
}

TEST_CASE("screen: texts are cut at the borders") {
    CHECK(line_with({2, 0, "abc"}) == "  ab\n");
    CHECK(line_with({-1, 0, "abc"}) == "bc\n");
    CHECK(line_with({1, 0, "位置a"}) == " 位\n");
    CHECK(line_with({-1, 0, "位a"}) == " a\n");
    CHECK(line_with({3, 0, "e\u0301x"}) == "   e\u0301\n");
    CHECK(line_with({9, 0, "a"}) == "\n");
    CHECK(line_with({0, 1, "a"}) == "\n");
    CHECK(line_with({0, -1, "a"}) == "\n");
}

TEST_CASE("screen: without colours the minus is ASCII's and other characters are themselves") {
    CHECK(line_with({0, 0, "\u22121"}) == "\u22121\n");
    CHECK(line_with({0, 0, "\u22121"}, none) == "-1\n");
    CHECK(line_with({0, 0, "10\u207b\u2075"}, none) == "10\u207b\u2075\n");
}

TEST_CASE("screen: a text cannot command the terminal") {
    CHECK_THROWS_AS(line_with({0, 0, "\x1b[2J"}), UsageError);
    CHECK_THROWS_AS(line_with({0, 0, "\x1b[2J"}, none), UsageError);
}

using testing::picture_in;
using testing::ShownPicture;

namespace {

/// Pixels of all 256 colours without a pattern, and runs of every length.
Image picture(int width, int height) {
    Image image;
    image.width = width;
    image.height = height;
    for (std::size_t i = 0; i < 256; ++i) {
        const auto part = [&](std::size_t factor) {
            return static_cast<std::uint8_t>(i * factor % 256);
        };
        image.colours[i] = {part(1), part(77), part(201)};
    }
    unsigned state = 1, run = 0;
    for (int i = 0; i < width * height; ++i) {
        if (run-- == 0) {
            state = state * 1103515245U + 12345U;
            run = state >> 16 & 7;
        }
        image.pixels.push_back(static_cast<std::uint8_t>(state >> 20));
    }
    return image;
}

std::string sent(const Image& image, std::string_view name) {
    return find_terminal_graphics(name)->text(image, 17, 9);
}

/// True if the colours are the same, but for the 101 levels of sixels.
bool are_alike(Rgb a, Rgb b) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(a[i] - b[i]) > 2) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("terminal graphics: are the words of --show-as, besides blocks") {
    const ParameterSpec* as = nullptr;
    for (const ParameterSpec& spec : figure_parameters()) {
        if (spec.name == "show-as") as = &spec;
    }
    REQUIRE(as != nullptr);
    std::vector<std::string_view> names{"blocks"};
    for (const TerminalGraphics& graphics : all_terminal_graphics()) names.push_back(graphics.name);
    const bool are_words = words(as->choices) == names;
    CHECK(are_words);
    CHECK(find_terminal_graphics("blocks") == nullptr);
}

TEST_CASE("terminal graphics: a terminal shows the pixels of the picture, then a new line") {
    for (const auto& size : {std::pair(1, 1), std::pair(3, 6), std::pair(101, 77),
                             std::pair(256, 13), std::pair(7, 600)}) {
        const Image image = picture(size.first, size.second);
        CAPTURE(image.width);
        const ShownPicture expected = testing::picture_of_png(encode_png(image, {}));
        for (const TerminalGraphics& graphics : all_terminal_graphics()) {
            CAPTURE(graphics.name);
            const ShownPicture shown = picture_in(sent(image, graphics.name), graphics.name);
            CHECK(shown.width == image.width);
            CHECK(shown.height == image.height);
            CHECK(shown.rest == "\n");
            REQUIRE(shown.pixels.size() == expected.pixels.size());
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < shown.pixels.size(); ++i) {
                const bool is_right =
                    graphics.name == "sixel"
                        ? shown.pixels[i] && are_alike(*shown.pixels[i], *expected.pixels[i])
                        : shown.pixels[i] == expected.pixels[i];
                wrong += is_right ? 0 : 1;
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("terminal graphics: iTerm2 is told the width in characters") {
    CHECK(picture_in(sent(picture(20, 9), "iterm2"), "iterm2").columns == 17);
}

TEST_CASE("terminal graphics: sixels leave out what is transparent, and name no colour twice") {
    Image image = picture(2, 1);
    image.colours[0] = {255, 0, 0};
    image.colours[1] = {0, 255, 0};
    image.pixels = {0, 1};
    image.opacities = {127, 128};
    const ShownPicture shown = picture_in(sent(image, "sixel"), "sixel");
    CHECK(!shown.pixels[0]);
    CHECK(shown.pixels[1] == Rgb{0, 255, 0});
    CHECK(sent(image, "sixel") == "\x1bP0;1q\"1;1;2;1#1;2;0;100;0#1?@\x1b\\\n");
}

TEST_CASE("terminal graphics: sixels repeat from four on") {
    Image image = picture(13, 1);
    image.pixels = {0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1};
    image.colours[0] = {0, 0, 0};
    image.colours[1] = {255, 255, 255};
    CHECK(sent(image, "sixel") ==
          "\x1bP0;1q\"1;1;13;1#0;2;0;0;0#1;2;100;100;100#0@@@!4?@$#1?\?\?!4@?!5@\x1b\\\n");
}
