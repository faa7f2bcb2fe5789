#pragma once

#include <memory>
#include <string_view>

#include "figure/mask.h"

namespace pegen {

class Font;

/// The font of a TrueType or OpenType file (outlines in glyf), of a collection the first.
/// The file may come from anybody: it is checked as far as is needed to read it safely.
/// Throws: FileError if it cannot be read or has more than 64 MiB, FormatError if it is no such
/// font or is damaged.
std::shared_ptr<const Font> load_font(std::string_view path);

/// Text is in one line, from left to right, with kerning; in the style's font, and what that lacks
/// in DejaVu Sans, which is built in. Sizes are in points; at a dpi, a point is dpi / 72 pixels.
/// Baseline, x-height, height of capitals and digits, ascender and descender are moved to whole
/// pixels (10 pt at 100 dpi: 0, 8, 10, 11, -3), which keeps it crisp. All functions throw
/// UsageError for text that is not valid UTF-8 or has a character that both fonts lack, FormatError
/// if the style's font is damaged where it is needed.
struct TextStyle {
    double points;
    double dpi;
    std::shared_ptr<const Font> font = nullptr;  ///< null: only the built-in one
};

/// Heights of a line above and below the baseline, in whole pixels: of an 'l' and of a 'p' in the
/// built-in font, so that a figure has the same places with any font.
struct LineHeight {
    int ascent;
    int descent;
};

LineHeight line_height(const TextStyle& style);

/// Pixels from the origin to where the next character would begin.
double text_advance(std::string_view text, const TextStyle& style);

/// The origin is the pixel where the baseline begins.
InkBox text_ink(std::string_view text, const TextStyle& style);

Mask draw_text(std::string_view text, const TextStyle& style);

/// Turned by 90 degrees to the left about the origin: the text reads upwards.
InkBox turned(InkBox box);
Mask turned(const Mask& mask);

}  // namespace pegen
