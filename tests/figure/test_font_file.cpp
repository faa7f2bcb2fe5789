#include <doctest/doctest.h>

#include <span>
#include <string>

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

namespace {

const std::string endchar = "\x0e", call = "\x0a", call_global = "\x1d", leave = "\x0b";

/// Checks glyph 1 of a table.
void check(const std::string& table) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(table.data());
    CffOutlines("a font", 0, std::span(bytes, table.size())).check(1);
}

bool is_refused(const CffParts& parts) {
    try {
        check(cff_table(parts));
        return false;
    } catch (const FormatError&) {
        return true;
    }
}

bool is_refused(const std::string& program) { return is_refused(CffParts{.program = program}); }

/// Returns the number of a subroutine as a program of few of them calls it.
std::string biased(int number) { return operand(number - 107); }

}  // namespace

TEST_CASE("CFF outlines: programs that draw are accepted") {
    CHECK(!is_refused(square_program()));
    CHECK(!is_refused(endchar));
    // One hint and one whose operator is left out need a mask of one byte, nine hints need two.
    CHECK(!is_refused(operand(1) + operand(2) + '\x01' + operand(3) + operand(4) + "\x13\xff" +
                      endchar));
    std::string nine;
    for (int i = 0; i < 18; ++i) nine += operand(i);
    CHECK(!is_refused(nine + "\x12\x13\xff\x0b" + endchar));
    CHECK(!is_refused(CffParts{.program = biased(0) + call + endchar,
                               .subroutines = {biased(0) + call_global + leave},
                               .global_subroutines = {operand(1) + '\x16' + leave}}));
}

TEST_CASE("CFF outlines: fonts made of several find their subroutines") {
    const auto parts = [](const std::string& selection) {
        return CffParts{
            .program = biased(0) + call + endchar, .subroutines = {leave}, .selection = selection};
    };
    CHECK(!is_refused(parts(std::string("\0\0\0", 3))));
    const std::string ranges = '\x03' + u16(1) + u16(0) + '\0';
    CHECK(!is_refused(parts(ranges + u16(2))));
    CHECK(is_refused(parts(ranges + u16(1))));                    // glyph 1 is in none
    CHECK(is_refused(parts(std::string("\0\0\x07", 3))));         // there is no font 7
    CHECK(is_refused(parts(std::string("\x02\0\0", 3))));         // of an unknown kind
    CHECK(is_refused(parts('\x03' + u16(0xffff) + u16(0x100))));  // beyond the table
}

TEST_CASE("CFF outlines: programs that would harm their reader are refused") {
    CHECK(is_refused(""));
    CHECK(is_refused(operand(1)));                  // no end
    CHECK(is_refused("\x15" + endchar));            // a step without operands
    CHECK(is_refused("\x02" + endchar));            // no operator
    CHECK(is_refused("\x0c\x0a" + endchar));        // addition, which nobody draws with
    CHECK(is_refused(leave));                       // from where?
    CHECK(is_refused(biased(0) + call + endchar));  // no subroutine
    CHECK(is_refused(operand(1) + operand(2) + "\x13" + endchar));  // the mask is the end
    std::string many;
    for (int i = 0; i < 49; ++i) many += operand(0);
    CHECK(is_refused(many + endchar));
    // Coordinates beyond any integer.
    std::string far;
    for (int i = 0; i < 1000; ++i) far += std::string("\xff\x7f\xff\xff\xff\x16", 6);
    CHECK(is_refused(far + endchar));
    CHECK(!is_refused(far.substr(0, 600) + endchar));
}

TEST_CASE("CFF outlines: subroutines neither nest too deeply nor take forever") {
    const auto chain = [](int length) {
        CffParts parts{.program = biased(0) + call + endchar};
        for (int i = 1; i < length; ++i) {
            parts.subroutines.push_back(biased(i) + call + leave);
        }
        parts.subroutines.push_back(leave);
        return parts;
    };
    CHECK(!is_refused(chain(10)));
    CHECK(is_refused(chain(11)));
    CHECK(is_refused({.program = biased(0) + call + endchar, .subroutines = {biased(0) + call}}));
    // Ten subroutines that each call the next one ten times: 10^10 calls.
    CffParts bomb{.program = biased(0) + call + endchar};
    for (int i = 1; i < 10; ++i) {
        std::string calls;
        for (int j = 0; j < 10; ++j) calls += biased(i) + call;
        bomb.subroutines.push_back(calls + leave);
    }
    bomb.subroutines.push_back(leave);
    CHECK(is_refused(bomb));
}

TEST_CASE("CFF outlines: tables that end too early are refused") {
    const std::string table = cff_table({.program = square_program()});
    check(table);
    for (std::size_t size = 0; size < table.size(); ++size) {
        CAPTURE(size);
        CHECK_THROWS_AS(check(table.substr(0, size)), FormatError);
    }
}

TEST_CASE("CFF outlines: old programs are refused by their kind") {
    std::string table = cff_table({.program = endchar});
    const std::size_t top = table.find('\x11');
    table.replace(top, 1, "\x0c\x06");  // the place of the programs becomes their kind
    table.erase(top + 2, 1);
    CHECK_THROWS_WITH_AS(check(table), doctest::Contains("of an old kind"), FormatError);
}
