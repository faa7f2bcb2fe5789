#include <doctest/doctest.h>

#include <filesystem>

#include "core/error.h"
#include "figure/chosen_font.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/small_font.h"
#include "figure/text.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

const std::string dejavu = content(PEGEN_DEJAVU_SANS);

TextStyle in_font(const std::string& bytes) {
    const TemporaryFolder folder;
    put(folder.path("a.ttf"), bytes);
    return {10, 100, load_font(folder.path("a.ttf"))};
}

/// Returns the message about a file with these bytes, after its name.
std::string refusal(const std::string& bytes) {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.ttf");
    put(path, bytes);
    try {
        load_font(path);
    } catch (const FormatError& error) {
        const std::string message = error.what();
        REQUIRE(message.starts_with("--font " + path + ": "));
        return message.substr(path.size() + 9);
    }
    return "";
}

std::string with(std::string bytes, std::size_t at, const std::string& others) {
    return bytes.replace(at, others.size(), others);
}

/// Returns the place in the directory that holds the offset of the table; its length is 4 bytes
/// further on.
std::size_t entry_of(const std::string& font, const std::string& tag) { return font.find(tag) + 8; }

}  // namespace

TEST_CASE("font: each character is in the first font that has it") {
    const TextStyle built_in{10, 100};
    const TextStyle both = in_font(small_font(square()));
    const double em = 10 * 100 / 72.0;
    CHECK(text_advance("位", both) == doctest::Approx(em).epsilon(0.01));
    CHECK(text_advance("A位V", both) ==
          text_advance("A", built_in) + text_advance("位", both) + text_advance("V", built_in));
    CHECK(text_advance("AV位", both) == text_advance("AV", built_in) + text_advance("位", both));
    // Characters of both fonts share a baseline.
    CHECK(text_ink("位", both) == InkBox{0, -14, 14, 0});
    CHECK(text_ink("H位", both).bottom == text_ink("H", built_in).bottom);
    CHECK(draw_text("位", both).coverage[14 * 7 + 7] == 255);
    // The given font comes first, before the built-in one.
    CHECK(text_advance("A", in_font(small_font(square(), 'A'))) == text_advance("位", both));
    CHECK(line_height(both).ascent == line_height(built_in).ascent);
}

TEST_CASE("font: DejaVu Sans from its file is the same as built in") {
    const TextStyle built_in{12, 100};
    TextStyle from_file = in_font(dejavu);
    from_file.points = 12;
    for (const char* text : {"AV To 1.5e−6", "Ä θ = π²"}) {
        CHECK(text_advance(text, from_file) == text_advance(text, built_in));
        CHECK(draw_text(text, from_file).box == draw_text(text, built_in).box);
        CHECK(draw_text(text, from_file).coverage == draw_text(text, built_in).coverage);
    }
}

TEST_CASE("font: CFF outlines are drawn as those of TrueType") {
    const TextStyle cff = in_font(small_cff_font({.program = square_program()})),
                    truetype = in_font(small_font(square()));
    CHECK(text_advance("位", cff) == text_advance("位", truetype));
    CHECK(draw_text("位", cff).box == draw_text("位", truetype).box);
    CHECK(draw_text("位", cff).coverage == draw_text("位", truetype).coverage);
    // A curve up from one corner, to the right and down to the other one, fills an arch.
    const std::string arch = operand(0) + operand(0) + '\x15' + operand(0) + operand(1000) +
                             operand(1000) + operand(0) + operand(0) + operand(-1000) + "\x08\x0e";
    const Mask mask = draw_text("位", in_font(small_cff_font({.program = arch})));
    CHECK(mask.box == InkBox{0, -14, 14, 0});
    CHECK(mask.coverage[14 * 7 + 7] == 255);
    CHECK(mask.coverage[0] == 0);
    CHECK(mask.coverage[14 * 2 + 7] == 0);
}

TEST_CASE("font: a number chooses among the fonts of a collection") {
    const TemporaryFolder folder;
    put(folder.path("a.ttc"), small_collection(0x4f4d, 0x7f6e));
    const auto is_drawn = [&](const std::string& name, std::string_view text) {
        return lacking(text, {10, 100, load_font(folder.path(name))}).empty();
    };
    CHECK(is_drawn("a.ttc", "位"));
    CHECK(is_drawn("a.ttc#0", "位"));
    CHECK(is_drawn("a.ttc#1", "置"));
    CHECK(!is_drawn("a.ttc#1", "位"));
    CHECK_THROWS_AS(load_font(folder.path("a.ttc#2")), UsageError);
    CHECK_THROWS_AS(load_font(folder.path("a.ttc#x")), FileError);
    // A file of that very name comes first.
    put(folder.path("a.ttc#1"), small_font(square()));
    CHECK(is_drawn("a.ttc#1", "位"));
    CHECK(load_font("builtin") == nullptr);
}

TEST_CASE("font: what has a slash or the ending of a font is the name of a file") {
    for (const char* file : {"fonts/a", "a.ttf", "A.OTF", "a.ttc#3", "a.woff2", "/dev/null"}) {
        CHECK(names_font_file(file));
    }
    for (const char* name : {"Noto Sans CJK SC", "SimHei", "Font 2.0", "a.b#3"}) {
        CHECK(!names_font_file(name));
    }
}

TEST_CASE("font: a style may lack characters, which are measured") {
    TextStyle style{10, 100};
    const double em = 10 * 100 / 72.0;
    CHECK(lacking("A置位置\tשहि", style) == std::u32string{0x4f4d, 0x7f6e});
    CHECK(lacking("\xff置", style).empty());
    const double latin = text_advance("AV", style);
    style.may_lack = true;
    CHECK(text_advance("AV", style) == latin);
    CHECK(text_advance("A位置V", style) > latin + 2 * em - 0.5);
    CHECK(text_ink("位", style).right == 14);
    CHECK(text_ink("位", style).top < -11);
    CHECK(glyphs_of("位", style).front().font == nullptr);
    CHECK_THROWS_AS(text_advance("שלום", style), UsageError);
}

TEST_CASE("font: a character that both fonts lack is named") {
    const TextStyle style = in_font(small_font(square()));
    try {
        text_advance("位置", style);
        FAIL("drawn");
    } catch (const UsageError& error) {
        const std::string message = error.what();
        CHECK(message.starts_with("both --font "));
        CHECK(
            message.ends_with("a.ttf and the built-in font, DejaVu Sans, lack '置', U+7F6E; give "
                              "another font with --font"));
    }
    CHECK_THROWS_WITH_AS(text_advance("a\tb", style), "contains a tab, which cannot be drawn",
                         UsageError);
}

TEST_CASE("font: a file that is not a font is refused") {
    const std::string none = "is not a TrueType or OpenType font";
    CHECK(refusal("") == none);
    CHECK(refusal("A text, and not even a short one, is no font.\n") == none);
    CHECK(refusal("wOFF" + std::string(100, '\0')) == none);
    CHECK(refusal("ttcf" + u32(0x10000) + u32(1) + u32(0xfffffff0)) == none);
    CHECK(refusal(dejavu.substr(0, 11)) == none);
    CHECK(refusal(dejavu.substr(0, 100)) == "byte 100: the font ends in its directory of tables");
    for (const std::size_t bytes : {1000u, 100000u, 700000u}) {
        CHECK(refusal(dejavu.substr(0, bytes))
                  .ends_with("a table of the font reaches beyond its end"));
    }
}

TEST_CASE("font: a damaged font is refused") {
    const std::string font = small_font(square());
    const std::string beyond = "a table of the font reaches beyond its end";
    for (const char* tag : {"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"}) {
        CAPTURE(tag);
        const std::size_t entry = entry_of(font, tag);
        CHECK(refusal(::with(font, entry, u32(0xffffffff))).ends_with(beyond));
        CHECK(refusal(::with(font, entry + 4, u32(0xffffffff))).ends_with(beyond));
        CHECK(!refusal(::with(font, entry + 4, u32(0))).empty());
        CHECK(!refusal(::with(font, entry - 8, "none")).empty());
    }
    CHECK(refusal(::with(font, 4, u16(0xffff))).ends_with("directory of tables"));
    const std::size_t map = font.find(u16(12) + u16(0) + u32(28));
    CHECK(refusal(::with(font, map - 4, u32(0x80000000))) ==
          "has no supported table of Unicode characters");
    CHECK(!refusal(::with(font, map + 12, u32(0x10000000))).empty());
    CHECK(!refusal(::with(font, map, u16(2))).empty());
}

TEST_CASE("font: a damaged outline is refused when it is drawn") {
    for (const std::string& glyph :
         {square({3, 2, 3}), square({9, 8, 7, 6, 5, 4, 3, 2, 1}), copies(1, 1), copies(1, 100)}) {
        const TextStyle style = in_font(small_font(glyph));
        CHECK(text_advance("A", style) > 0);
        CHECK_THROWS_AS(text_advance("位", style), FormatError);
        CHECK_THROWS_AS(draw_text("位", style), FormatError);
    }
}

TEST_CASE("font: a font with changed bytes is drawn or refused") {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.ttf");
    const std::string with_subroutines = small_cff_font(
        {.program = operand(0 - 107) + '\x0a' + '\x0e',
         .subroutines = {operand(0 - 107) + '\x1d' + '\x0b'},
         .global_subroutines = {square_program().substr(0, square_program().size() - 1) + '\x0b'},
         .selection = std::string("\0\0\0", 3)});
    for (const std::string& font : {small_font(square()), with_subroutines}) {
        int drawn = 0;
        for (std::size_t at = 0; at < font.size(); ++at) {
            for (const char byte : {'\x00', '\x7f', '\x80', '\xff'}) {
                put(path, ::with(font, at, std::string(1, byte)));
                try {
                    const TextStyle style{10, 100, load_font(path)};
                    const InkBox ink = text_ink("A位A", style);
                    // As in a layout, only text that fits in the picture is drawn.
                    if (ink.right - ink.left < 1000 && ink.bottom - ink.top < 1000) {
                        draw_text("A位A", style);
                    }
                    ++drawn;
                } catch (const Error&) {
                }
            }
        }
        CHECK(drawn > 100);
    }
}

TEST_CASE("font: figures use it for all their texts") {
    const Table table = table_from(4, 4, [](std::int64_t row, std::int64_t column) {
        return static_cast<double>(row + column);
    });
    const TemporaryFolder folder;
    put(folder.path("a.ttf"), small_font(square()));
    Parameters parameters(figure_parameters());
    const Image without = draw_figure(table, parameters);
    parameters.set("font", PEGEN_DEJAVU_SANS, Origin::user);
    CHECK(draw_figure(table, parameters).pixels == without.pixels);
    parameters.set("font", folder.path("a.ttf"), Origin::user);
    CHECK(draw_figure(table, parameters).pixels == without.pixels);
    parameters.set("ylabel", "位", Origin::user);
    CHECK(draw_figure(table, parameters).pixels != without.pixels);
}

TEST_CASE("font: the program says what is wrong with the file") {
    const TemporaryFolder folder;
    put(folder.path("text.ttf"), "no font");
    std::filesystem::resize_file((put(folder.path("huge.ttf"), ""), folder.path("huge.ttf")),
                                 (std::uintmax_t{64} << 20) + 1);
    const auto run = [&](const std::string& font) {
        return run_program("sinusoid --len 8 --d 4 --png a.png --font " + font, folder.path(""));
    };
    const ProgramRun text = run("text.ttf");
    CHECK(text.status == 3);
    CHECK(text.errors == "pe-gen: --font text.ttf: is not a TrueType or OpenType font\n");
    const ProgramRun missing = run("missing.ttf");
    CHECK(missing.status == 4);
    CHECK(missing.errors == "pe-gen: missing.ttf: cannot open: No such file or directory\n");
    const ProgramRun huge = run("huge.ttf");
    CHECK(huge.status == 4);
    CHECK(huge.errors == "pe-gen: huge.ttf: cannot read: has 67108865 bytes, more than 64 MiB\n");
    CHECK(run(".").status == 4);
    CHECK(run("/dev/null").status == 4);
    CHECK(run(PEGEN_DEJAVU_SANS).status == 0);
}
