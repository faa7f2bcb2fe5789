#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "core/names.h"
#include "figure/figure.h"
#include "formats/png.h"
#include "formats/screen.h"
#include "formats/shown_pictures.h"

using namespace pegen;
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
