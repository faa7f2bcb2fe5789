#include <doctest/doctest.h>

#include "core/error.h"
#include "figure/font_file.h"
#include "figure/small_font.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

FontFile font_file(const std::string& bytes) {
    const TemporaryFolder folder;
    put(folder.path("a.ttf"), bytes);
    return FontFile(folder.path("a.ttf"));
}

}  // namespace

TEST_CASE("fenced bytes: every 32-bit offset can be read, and 16 MiB beyond either end") {
    const TemporaryFolder folder;
    put(folder.path("a"), "abc");
    const FencedBytes bytes(folder.path("a"), 3);
    REQUIRE(bytes.size() == 3);
    CHECK(std::string(bytes.begin(), bytes.begin() + 4) == std::string("abc\0", 4));
    constexpr std::int64_t margin = std::int64_t{16} << 20, offsets = std::int64_t{1} << 32;
    for (const std::int64_t offset :
         {-margin, std::int64_t{-1}, offsets - 1, offsets + margin - 1}) {
        CHECK(bytes.begin()[offset] == 0);
    }
    CHECK_THROWS_WITH_AS(FencedBytes(folder.path("a"), 2), doctest::Contains("has 3 bytes"),
                         FileError);
    put(folder.path("empty"), "");
    CHECK(FencedBytes(folder.path("empty"), 2).size() == 0);
}

TEST_CASE("font file: knows where its font begins and how many glyphs it has") {
    const FontFile file = font_file(small_font(square()));
    CHECK(file.start() == 0);
    CHECK(file.glyphs() == 2);
}

TEST_CASE("font file: sound outlines, and glyphs without one, pass") {
    const FontFile simple = font_file(small_font(square()));
    CHECK_NOTHROW(simple.check_outline(0));
    CHECK_NOTHROW(simple.check_outline(1));
    CHECK_NOTHROW(simple.check_outline(2));  // there is none
    CHECK_NOTHROW(font_file(small_font(copies(0, 256))).check_outline(1));
}

TEST_CASE("font file: outlines that would harm their reader are refused") {
    for (const std::string& glyph : {square({3, 2}), copies(1, 1), copies(0, 257)}) {
        CAPTURE(glyph.size());
        CHECK_THROWS_AS(font_file(small_font(glyph)).check_outline(1), FormatError);
    }
}
