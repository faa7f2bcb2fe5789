#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "figure/paint.h"

using namespace pegen;

namespace {

constexpr std::array<std::uint8_t, 4> four_greys{0, 85, 170, 255};

Rgb grey(int level) {
    const auto byte = static_cast<std::uint8_t>(level);
    return {byte, byte, byte};
}

/// Returns a palette whose colour i is (i, 0, 200), so that no colour is grey.
Palette reds() {
    Palette palette;
    for (std::size_t i = 0; i < palette.size(); ++i) {
        palette[i] = {static_cast<std::uint8_t>(i), 0, 200};
    }
    return palette;
}

Rgb shown(const PictureColours& colours, std::size_t index) {
    return colours.list()[colours.place(static_cast<std::uint16_t>(index))];
}

Rgb darkened(const PictureColours& colours, std::uint16_t index, double share) {
    return colours.list()[colours.darkened(colours.place(index), share)];
}

/// Returns the indices of the map that are shown with the colour of another index.
std::vector<int> merged(const PictureColours& colours) {
    std::vector<int> indices;
    for (int index = 0; index < 256; ++index) {
        if (shown(colours, static_cast<std::size_t>(index))[0] != index) indices.push_back(index);
    }
    return indices;
}

}  // namespace

TEST_CASE("picture colours: greys replace evenly spread colours") {
    CHECK(merged(PictureColours(reds(), four_greys)) == std::vector<int>{32, 96, 159, 223});
    CHECK(merged(PictureColours(reds(), {})).empty());
}

TEST_CASE("picture colours: every index has a colour of the map, at most one index off") {
    for (const std::size_t count : {1u, 2u, 3u, 12u, 16u, 127u, 128u}) {
        CAPTURE(count);
        const std::vector<std::uint8_t> greys(count, 255);
        const PictureColours colours(reds(), greys);
        CHECK(shown(colours, 0) == reds()[0]);
        CHECK(shown(colours, 255) == reds()[255]);
        CHECK(merged(colours).size() == count);
        for (int index = 0; index < 256; ++index) {
            const Rgb colour = shown(colours, static_cast<std::size_t>(index));
            CHECK(colour[2] == 200);
            CHECK(std::abs(colour[0] - index) <= 1);
        }
    }
}

TEST_CASE("picture colours: no value is white") {
    CHECK(shown(PictureColours(reds(), four_greys), no_value) == grey(255));
    constexpr std::array<std::uint8_t, 1> white{255};
    CHECK(shown(PictureColours(reds(), white), no_value) == grey(255));
}

TEST_CASE("picture colours: black over white is the nearest grey") {
    const PictureColours colours(reds(), four_greys);
    CHECK(darkened(colours, no_value, 0) == grey(255));
    CHECK(darkened(colours, no_value, 0.16) == grey(255));
    CHECK(darkened(colours, no_value, 0.17) == grey(170));
    CHECK(darkened(colours, no_value, 0.49) == grey(170));
    CHECK(darkened(colours, no_value, 0.51) == grey(85));
    CHECK(darkened(colours, no_value, 1) == grey(0));
}

TEST_CASE("picture colours: black over black is black, over grey darker grey") {
    const PictureColours colours(reds(), four_greys);
    const std::uint8_t light = colours.darkened(colours.place(no_value), 0.33);
    CHECK(colours.list()[colours.darkened(light, 0.5)] == grey(85));
    const std::uint8_t black = colours.darkened(light, 1);
    CHECK(colours.darkened(black, 0.5) == black);
}

TEST_CASE("picture colours: black over a colour covers it or does not") {
    const PictureColours colours(reds(), four_greys);
    CHECK(darkened(colours, 100, 0.25) == reds()[100]);
    CHECK(darkened(colours, 100, 0.26) == grey(0));
    CHECK(darkened(colours, 100, 1) == grey(0));
}

TEST_CASE("picture colours: a map with all the greys keeps its colours and every grey") {
    for (const std::string_view name : {"gray", "gray-r"}) {
        const Palette map = find_palette(name);
        const PictureColours colours(map, four_greys);
        CHECK(colours.list() == map);
        for (std::size_t index = 0; index < 256; ++index)
            CHECK(shown(colours, index) == map[index]);
        CHECK(shown(colours, no_value) == grey(255));
        CHECK(darkened(colours, no_value, 0.2) == grey(204));
        CHECK(darkened(colours, no_value, 1) == grey(0));
    }
}

TEST_CASE("picture colours: a map with some of the greys loses none of them") {
    Palette map = reds();
    map[32] = grey(170);  // a colour that would be left out otherwise
    const PictureColours colours(map, four_greys);
    for (const std::uint8_t level : four_greys) {
        CHECK(std::find(colours.list().begin(), colours.list().end(), grey(level)) !=
              colours.list().end());
    }
}
