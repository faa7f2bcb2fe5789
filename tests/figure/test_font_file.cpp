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
    return FontFile(InputFile(folder.path("a.ttf")));
}

}  // namespace

TEST_CASE("fenced bytes: every 32-bit offset can be read, and 16 MiB beyond either end") {
    const TemporaryFolder folder;
    put(folder.path("a"), "abc");
    const FencedBytes bytes(InputFile(folder.path("a")), 3);
    REQUIRE(bytes.size() == 3);
    CHECK(std::string(bytes.begin(), bytes.begin() + 4) == std::string("abc\0", 4));
    constexpr std::int64_t margin = std::int64_t{16} << 20, offsets = std::int64_t{1} << 32;
    for (const std::int64_t offset :
         {-margin, std::int64_t{-1}, offsets - 1, offsets + margin - 1}) {
        CHECK(bytes.begin()[offset] == 0);
    }
    CHECK_THROWS_WITH_AS(FencedBytes(InputFile(folder.path("a")), 2),
                         doctest::Contains("has 3 bytes"), FileError);
    put(folder.path("empty"), "");
    CHECK(FencedBytes(InputFile(folder.path("empty")), 2).size() == 0);
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

TEST_CASE("font file: its names are read as far as they lie within it") {
    using enum FontFile::NameKind;
    const std::string font = small_font(square(), 'A', "Small");
    CHECK(font_file(font).own_name(family) == "Small");
    CHECK(font_file(font).own_name(postscript) == "Small-Regular");
    CHECK(font_file(font).own_name(family_of_all_styles) == "");
    CHECK(font_file(small_font(square())).own_name(family) == "");
    std::string damaged = font;
    const std::size_t records = font.find(u16(3) + u16(1) + u16(0x409));
    damaged.replace(records + 8, 2, u16(0xffff));
    CHECK(font_file(damaged).own_name(family) == "");
    damaged.replace(records - 4, 2, u16(0xffff));  // the number of names
    CHECK(font_file(damaged).own_name(postscript) == "Small-Regular");
    CHECK(font_file(font).weight() == 400);
    CHECK(!font_file(font).is_italic());
}

TEST_CASE("font file: a collection has its fonts by number") {
    const TemporaryFolder folder;
    put(folder.path("a.ttc"), small_collection('A', 'B'));
    const InputFile file(folder.path("a.ttc"));
    CHECK(FontFile(file, 0).own_name(FontFile::NameKind::family) == "Small One");
    CHECK(FontFile(file, 1).own_name(FontFile::NameKind::family) == "Small Two");
    CHECK_THROWS_WITH_AS(FontFile(file, 2), doctest::Contains("has 2 fonts; "), UsageError);
}
