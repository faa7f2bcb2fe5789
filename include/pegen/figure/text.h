#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pegen {

/// Text is DejaVu Sans, which is built in, in one line, from left to right, with kerning.
/// Sizes are in points; at a dpi, a point is dpi / 72 pixels. Baseline,
/// x-height, height of capitals and digits, ascender and descender are moved to whole pixels (10 pt
/// at 100 dpi: 0, 8, 10, 11, -3), which keeps it crisp.
/// All functions throw UsageError for text that is not valid UTF-8 or has a character the font
/// lacks.
struct TextStyle {
    double points;
    double dpi;
};

/// Pixels of a text as an offset from its origin, the whole pixel where the baseline begins; y
/// downwards; right and bottom exclusive. Empty text: all zero.
struct InkBox {
    int left;
    int top;
    int right;
    int bottom;

    bool operator==(const InkBox&) const = default;
};

/// Heights of a line above and below the baseline, in whole pixels: of an 'l' and of a 'p'.
struct LineHeight {
    int ascent;
    int descent;
};

LineHeight line_height(TextStyle style);

/// Pixels from the origin to where the next character would begin.
double text_advance(std::string_view text, TextStyle style);

InkBox text_ink(std::string_view text, TextStyle style);

/// How much of each pixel of an ink box is covered, 0 to 255; row-major.
struct TextMask {
    InkBox box;
    std::vector<std::uint8_t> coverage;
};

TextMask draw_text(std::string_view text, TextStyle style);

/// Turned by 90 degrees to the left about the origin: the text reads upwards.
InkBox turned(InkBox box);
TextMask turned(const TextMask& mask);

}  // namespace pegen
