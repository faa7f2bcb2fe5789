#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/error.h"
#include "core/utf8.h"
#include "encodings/registry.h"
#include "figure/fake_table.h"
#include "figure/figure.h"
#include "figure/options.h"
#include "figure/text.h"

using namespace pegen;

namespace {

const TextStyle ten_points{10, 100};
const TextStyle twelve_points{12, 100};

int height(std::string_view text, const TextStyle& style) {
    const InkBox ink = text_ink(text, style);
    return ink.bottom - ink.top;
}

}  // namespace

// Lengths from the text boxes of matplotlib 3.6.3.
TEST_CASE("text: lines are as long as matplotlib's") {
    CHECK(text_advance("0", ten_points) == 8.875);
    CHECK(text_advance("120", ten_points) == 26.625);
    CHECK(text_advance("\u22121.00", ten_points) == 42.625);
    CHECK(text_advance("Embedding Dimension(d_model)", ten_points) == 226.875);
    CHECK(text_advance("Sequence Position(max_len)", ten_points) ==
          doctest::Approx(196.125).epsilon(0.005));
    CHECK(text_advance("Positional Encoding (d_model=128, max_len=400)", twelve_points) ==
          doctest::Approx(423.125).epsilon(0.002));
}

TEST_CASE("text: heights that letters share are whole pixels") {
    CHECK(height("x", ten_points) == 8);
    CHECK(height("x", twelve_points) == 9);
    CHECK(height("0123456789", ten_points) == 10);
    CHECK(height("H", twelve_points) == 12);
    CHECK(line_height(ten_points).ascent == 11);
    CHECK(line_height(ten_points).descent == 3);
}

TEST_CASE("text: flat edges on whole pixels are black") {
    const Mask mask = draw_text("H", ten_points);
    const auto width = static_cast<std::size_t>(mask.box.right - mask.box.left);
    const auto darkest = [&](std::size_t row) {
        return *std::max_element(mask.coverage.begin() + static_cast<long>(row * width),
                                 mask.coverage.begin() + static_cast<long>((row + 1) * width));
    };
    CHECK(darkest(0) > 240);
    CHECK(darkest(9) > 240);
}

TEST_CASE("text: letters are kerned") {
    CHECK(text_advance("AV", ten_points) <
          text_advance("A", ten_points) + text_advance("V", ten_points));
}

TEST_CASE("text: twice the dpi is twice the length") {
    CHECK(text_advance("position", {10, 200}) ==
          doctest::Approx(2 * text_advance("position", ten_points)).epsilon(0.01));
}

TEST_CASE("text: no character covers no pixel") {
    CHECK(text_ink("", ten_points) == InkBox{0, 0, 0, 0});
    CHECK(text_ink(" ", ten_points) == InkBox{0, 0, 0, 0});
    CHECK(draw_text("", ten_points).coverage.empty());
}

TEST_CASE("text: turned text reads upwards") {
    const Mask mask = draw_text("L", ten_points);
    const Mask up = turned(mask);
    CHECK(up.box == InkBox{mask.box.top, -mask.box.right, mask.box.bottom, -mask.box.left});
    // The text is turned: the foot of the L, at its bottom, is now at the right, and its stem, at
    // the left, is below.
    const auto width = static_cast<std::size_t>(up.box.right - up.box.left);
    const auto rows = up.coverage.size() / width;
    const auto ink_of_column = [&](std::size_t column) {
        int sum = 0;
        for (std::size_t row = 0; row < rows; ++row) sum += up.coverage[row * width + column];
        return sum;
    };
    CHECK(ink_of_column(width - 1) > 2 * ink_of_column(0));
    CHECK(std::accumulate(up.coverage.end() - static_cast<long>(width), up.coverage.end(), 0) +
              std::accumulate(up.coverage.end() - 2 * static_cast<long>(width),
                              up.coverage.end() - static_cast<long>(width), 0) >
          1000);
    CHECK(std::accumulate(mask.coverage.begin(), mask.coverage.end(), 0) ==
          std::accumulate(up.coverage.begin(), up.coverage.end(), 0));
}

TEST_CASE("text: slanted text covers as much, within its box, and runs to the upper right") {
    const TextStyle style{20, 100};
    const auto sum = [](const Mask& mask) {
        double all = 0;
        for (const std::uint8_t share : mask.coverage) all += share;
        return all;
    };
    const Mask level = draw_text("because", style), turned = draw_slanted("because", style);
    CHECK(sum(turned) == doctest::Approx(sum(level)).epsilon(0.06));
    CHECK(turned.box == slanted(level.box));
    const int width = turned.box.right - turned.box.left;
    const auto ink_of_row = [&](int y) {
        double place = 0, all = 0;
        for (int x = 0; x < width; ++x) {
            const std::uint8_t share = turned.coverage[y * width + x];
            place += x * share;
            all += share;
        }
        return place / all;
    };
    const int height = turned.box.bottom - turned.box.top;
    CHECK(ink_of_row(height / 4) > ink_of_row(3 * height / 4) + height / 4.0);
}

TEST_CASE("text: characters beyond ASCII are drawn") {
    CHECK(text_advance("θ = 10000 · π²", ten_points) > 0);
    CHECK(height("Ä", ten_points) > height("A", ten_points));
}

TEST_CASE("text: a character the font lacks is named") {
    CHECK_THROWS_WITH_AS(text_advance("位置", ten_points),
                         "the built-in font, DejaVu Sans, lacks '位', U+4F4D; "
                         "give a font that has it with --font",
                         UsageError);
    CHECK_THROWS_WITH_AS(text_advance("a\tb", ten_points), "contains a tab, which cannot be drawn",
                         UsageError);
    CHECK_THROWS_WITH_AS(text_advance("two\nlines", ten_points),
                         "contains a line break, which cannot be drawn", UsageError);
    CHECK_THROWS_WITH_AS(text_advance("\x1b[m", ten_points),
                         "contains the control character U+001B, which cannot be drawn",
                         UsageError);
}

TEST_CASE("text: invalid UTF-8 is refused with the byte") {
    CHECK_THROWS_WITH_AS(text_advance("ab\xff", ten_points), "byte 3 (0xff) is not valid UTF-8",
                         UsageError);
    for (const char* broken : {"\x80", "\xc3", "\xc3(", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                               "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82"}) {
        CHECK_THROWS_AS(text_advance(broken, ten_points), UsageError);
    }
}

namespace {

/// Returns the fault of the first faulty character; "" if there is none.
std::string fault_of(std::string_view text) {
    for (const Character& character : decode_utf8(text)) {
        if (std::string fault = fault_of_script(character.code); !fault.empty()) return fault;
    }
    return "";
}

}  // namespace

TEST_CASE("scripts: letters that stand side by side have no fault") {
    for (const char* text : {"Position, déjà vu", "Ελληνικά", "Кириллица", "Հայերեն", "ქართული",
                             "አማርኛ", "位置编码", "ひらがな カタカナ", "한국어", "½ → ☃ × 10⁻⁷"}) {
        CAPTURE(text);
        CHECK(fault_of(text) == "");
    }
}

TEST_CASE("scripts: those written from right to left are named") {
    CHECK(fault_of("שלום") ==
          "contains Hebrew, which is written from right to left and cannot be drawn");
    CHECK(fault_of("d=4 مرحبا").starts_with("contains Arabic, "));
    CHECK(fault_of("ﻣﺮﺣﺒﺎ").starts_with("contains Arabic, "));
    CHECK(fault_of("ܫܠܡܐ").starts_with("contains Syriac, "));
    CHECK(fault_of("ދިވެހި").starts_with("contains Thaana, "));
    CHECK(fault_of("ߒߞߏ").starts_with("contains N'Ko, "));
    CHECK(fault_of("𞤀𞤣")
              .starts_with("contains a script of Africa or Asia, which is written from"));
}

TEST_CASE("scripts: those that need shaping are named") {
    CHECK(fault_of("हिन्दी") == "contains Devanagari, which needs shaping and cannot be drawn");
    CHECK(fault_of("தமிழ்").starts_with("contains Tamil, "));
    CHECK(fault_of("မြန်မာ").starts_with("contains Burmese, "));
    CHECK(fault_of("ខ្មែរ").starts_with("contains Khmer, "));
    CHECK(fault_of("\u1112\u1161\u11ab").starts_with("contains Hangul in parts, "));
}

TEST_CASE("scripts: combining marks and what turns text are named by their number") {
    CHECK(fault_of("e\u0301") ==
          "contains U+0301, a combining mark, which cannot be drawn; use a letter "
          "that has its mark, such as é");
    CHECK(fault_of("ที่").starts_with("contains U+0E35, a combining mark"));
    CHECK(fault_of("\u202eabc") ==
          "contains U+202E, which turns the direction of text and cannot be drawn");
}

TEST_CASE("scripts: a figure names the text that cannot be drawn, a window shows it") {
    const Table table = table_of({{0, 1}, {2, 3}});
    const auto refused = [&](std::string_view option, std::string_view text) {
        try {
            compose_figure(table, with({{option, text}, {"font", "builtin"}}));
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refused("title", "שלום").starts_with("--title: contains Hebrew, "));
    CHECK(refused("xlabel", "हि").starts_with("--xlabel: contains Devanagari, "));
    CHECK(refused("ylabel", "a\tb") == "--ylabel: contains a tab, which cannot be drawn");
    CHECK(refused("colorbar-label", "位").starts_with("--colorbar-label: the built-in font, "));
    CHECK(refused("title", "\xff") == "--title: byte 1 (0xff) is not valid UTF-8");
    CHECK_NOTHROW(compose_figure(table, with({{"title", "שלום"}}), window_medium(80, 24)));
}
