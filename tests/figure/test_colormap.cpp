#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/parameters.h"
#include "figure/colormap.h"
#include "figure/figure.h"

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

/// The colormap of `--cmap typed`.
std::string chosen(std::string_view typed) {
    Parameters parameters(figure_parameters());
    parameters.set("cmap", typed, Origin::user);
    return parameters.word("cmap");
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

TEST_CASE("magma: all 256 colours are those of matplotlib 3.6.3") {
    const Palette palette = find_palette("magma");
    CHECK(palette[0] == Rgb{0, 0, 3});
    CHECK(palette[1] == Rgb{0, 0, 4});
    CHECK(palette[63] == Rgb{79, 17, 123});
    CHECK(palette[64] == Rgb{80, 18, 123});
    CHECK(palette[127] == Rgb{181, 54, 121});
    CHECK(palette[128] == Rgb{182, 54, 121});
    CHECK(palette[200] == Rgb{253, 151, 104});
    CHECK(palette[254] == Rgb{251, 250, 189});
    CHECK(palette[255] == Rgb{251, 252, 191});
    CHECK(checksum(palette) == 0x31dde46d7e819339);
}

TEST_CASE("inferno: all 256 colours are those of matplotlib 3.6.3") {
    const Palette palette = find_palette("inferno");
    CHECK(palette[0] == Rgb{0, 0, 3});
    CHECK(palette[1] == Rgb{0, 0, 4});
    CHECK(palette[63] == Rgb{85, 15, 109});
    CHECK(palette[64] == Rgb{87, 15, 109});
    CHECK(palette[127] == Rgb{186, 54, 85});
    CHECK(palette[128] == Rgb{187, 55, 84});
    CHECK(palette[200] == Rgb{251, 157, 6});
    CHECK(palette[254] == Rgb{250, 253, 160});
    CHECK(palette[255] == Rgb{252, 254, 164});
    CHECK(checksum(palette) == 0x6141c43a197621e9);
}

TEST_CASE("plasma: all 256 colours are those of matplotlib 3.6.3") {
    const Palette palette = find_palette("plasma");
    CHECK(palette[0] == Rgb{12, 7, 134});
    CHECK(palette[1] == Rgb{16, 7, 135});
    CHECK(palette[63] == Rgb{124, 2, 167});
    CHECK(palette[64] == Rgb{126, 3, 167});
    CHECK(palette[127] == Rgb{202, 70, 120});
    CHECK(palette[128] == Rgb{203, 71, 119});
    CHECK(palette[200] == Rgb{250, 160, 57});
    CHECK(palette[254] == Rgb{240, 246, 35});
    CHECK(palette[255] == Rgb{239, 248, 33});
    CHECK(checksum(palette) == 0xf6c435109a1ec502);
}

TEST_CASE("RdBu: all 256 colours are those of matplotlib 3.6.3") {
    const Palette palette = find_palette("RdBu");
    CHECK(palette[0] == Rgb{103, 0, 31});
    CHECK(palette[1] == Rgb{105, 0, 31});
    CHECK(palette[33] == Rgb{188, 45, 52});
    CHECK(palette[63] == Rgb{228, 128, 101});
    CHECK(palette[68] == Rgb{234, 141, 112});
    CHECK(palette[85] == Rgb{247, 182, 152});
    CHECK(palette[127] == Rgb{247, 246, 246});
    CHECK(palette[128] == Rgb{246, 246, 246});
    CHECK(palette[200] == Rgb{79, 154, 199});
    CHECK(palette[254] == Rgb{6, 50, 99});
    CHECK(palette[255] == Rgb{5, 48, 97});
    CHECK(checksum(palette) == 0xdcfe4dcf92ee5385);
}

TEST_CASE(
    "colormap: all 256 colours are those of matplotlib 3.6.3, of vlag those of seaborn 0.12.2") {
    struct Sum {
        const char* name;
        std::uint64_t checksum;
    };
    for (const Sum& sum : {Sum{"PuOr", 0xab426b208ef1395b},
                           {"BrBG", 0x6da4eb7351013b9d},
                           {"RdYlBu", 0xcf7aff6d8dcd4c40},
                           {"Spectral", 0x118052192865c237},
                           {"seismic", 0xd07e61a4489bc0d2},
                           {"bwr", 0x690d6a77c1dc271},
                           {"vlag", 0x348e57a949bf03df},
                           {"cividis", 0x4ba40aeb8cf0b6c5},
                           {"Blues", 0xb45d22e41bc2e108},
                           {"YlGnBu", 0x9f6d30ad685cd7a7},
                           {"YlOrRd", 0xfcd06d4d1327a52d},
                           {"turbo", 0x4ee05738aea3685a}}) {
        CAPTURE(sum.name);
        CHECK(checksum(find_palette(sum.name)) == sum.checksum);
    }
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
    const std::string refusal = "colormap 'jet': must be one of " + colormap_words();
    CHECK_THROWS_WITH_AS(find_palette("jet"), refusal.c_str(), UsageError);
    CHECK(colormap_words().starts_with("coolwarm coolwarm-r RdBu RdBu-r "));
}

TEST_CASE("colormap: --cmap takes matplotlib's _r for -r") {
    for (const Colormap* colormap : all_colormaps()) {
        const std::string name(colormap->name);
        CHECK(chosen(name) == name);
        CHECK(chosen(name + "-r") == name + "-r");
        CHECK(chosen(name + "_r") == name + "-r");
    }
}

TEST_CASE("colormap: --cmap suggests the nearest name") {
    const std::string all = colormap_words();
    std::string list;
    for (const std::string_view word : words(all)) {
        list += (list.empty() ? "" : ", ") + std::string(word);
    }
    const auto refusal = [&](const std::string& typed, const std::string& suggested) {
        return "--cmap " + typed + ": must be one of " + list + "; did you mean '" + suggested +
               "'?";
    };
    for (const auto& [typed, suggested] : {std::pair{"rdbu", "RdBu"},
                                           {"rdbu_r", "RdBu-r"},
                                           {"puor", "PuOr"},
                                           {"magna", "magma"},
                                           {"infreno", "inferno"},
                                           {"plasm_r", "plasma-r"}}) {
        const std::string expected = refusal(typed, suggested);
        CHECK_THROWS_WITH_AS(chosen(typed), expected.c_str(), UsageError);
    }
}

TEST_CASE("colormap: each row of the registry is documented") {
    for (const Colormap* colormap : all_colormaps()) {
        CHECK(!colormap->summary.empty());
        CHECK(!colormap->source.empty());
    }
}
