#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
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
