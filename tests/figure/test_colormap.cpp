#include <doctest/doctest.h>

#include <algorithm>

#include "pegen/core/error.h"
#include "pegen/core/names.h"
#include "pegen/figure/colormap.h"

using namespace pegen;

namespace {

/// FNV-1a of the 768 bytes.
std::uint64_t checksum(const Palette& palette) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const Rgb& colour : palette) {
        for (const std::uint8_t level : colour) hash = (hash ^ level) * 0x100000001b3;
    }
    return hash;
}

}  // namespace

TEST_CASE("coolwarm: all 256 colours are those of matplotlib 3.6.3") {
    const Palette palette = find_palette("coolwarm");
    CHECK(palette[0] == Rgb{58, 76, 192});
    CHECK(palette[63] == Rgb{139, 174, 253});
    CHECK(palette[127] == Rgb{220, 220, 221});
    CHECK(palette[128] == Rgb{221, 220, 219});
    CHECK(palette[200] == Rgb{240, 139, 109});
    CHECK(palette[255] == Rgb{179, 3, 38});
    CHECK(checksum(palette) == 0x83429c8f4f39167e);
}

TEST_CASE("viridis: all 256 colours are those of matplotlib 3.6.3") {
    const Palette palette = find_palette("viridis");
    CHECK(palette[0] == Rgb{68, 1, 84});
    CHECK(palette[128] == Rgb{32, 144, 140});
    CHECK(palette[255] == Rgb{253, 231, 36});
    CHECK(checksum(palette) == 0x90c6ad65c23a4182);
}

TEST_CASE("gray: every level is its index") {
    // matplotlib 3.6.3 has 24 levels one lower, for it truncates.
    const Palette palette = find_palette("gray");
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const auto level = static_cast<std::uint8_t>(i);
        CHECK(palette[i] == Rgb{level, level, level});
    }
}

TEST_CASE("colormap: -r is the same colours in reverse") {
    for (const Colormap* colormap : all_colormaps()) {
        Palette reversed = find_palette(std::string(colormap->name) + "-r");
        std::reverse(reversed.begin(), reversed.end());
        CHECK(reversed == colormap->colours());
    }
}

TEST_CASE("colormap: every word --cmap takes has colours") {
    const std::string list = colormap_words();
    CHECK(words(list).size() == 2 * all_colormaps().size());
    for (const std::string_view word : words(list)) CHECK_NOTHROW(find_palette(word));
}

TEST_CASE("colormap: an unknown name is refused") {
    CHECK_THROWS_WITH_AS(find_palette("jet"),
                         "colormap 'jet': must be one of coolwarm coolwarm-r viridis viridis-r "
                         "gray gray-r",
                         UsageError);
}

TEST_CASE("colormap: each row of the registry is documented") {
    for (const Colormap* colormap : all_colormaps()) {
        CHECK(!colormap->summary.empty());
        CHECK(!colormap->source.empty());
    }
}
