#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "figure/image.h"

namespace pegen {

/// Returns why a character cannot be drawn by setting one glyph beside the other, from left to
/// right: "contains Hebrew, which is written from right to left and cannot be drawn". Returns "" if
/// it can be drawn so: letters of Latin, Greek, Cyrillic, Armenian, Georgian, Ethiopic, Chinese,
/// Japanese, Korean and other scripts without joins, and symbols.
std::string fault_of_script(char32_t character);

class Font;

/// What a viewer finds a font by, in the terms of CSS. Without a family it is the built-in font.
struct FontFace {
    std::string family{};
    int weight = 400;
    bool is_italic = false;
};

/// Returns the font that `given` names, the value of --font: a file, of a collection its first font
/// or, as "fonts.ttc#2", the one of this number; or an installed font (find_font()). Returns null
/// for "builtin". The file is not trusted: it is checked as far as safe reading requires.
/// Throws: FileError if the file cannot be read or has more than 64 MiB, FormatError if it is not a
/// TrueType or OpenType font or is damaged, UsageError if there is no such font.
std::shared_ptr<const Font> load_font(std::string_view given);

/// The style of a text. A text is one line, from left to right, with kerning, in the style's font;
/// characters that the font lacks are drawn in DejaVu Sans, which is built in. A point is dpi / 72
/// pixels. Baseline, x-height, height of capitals and digits, ascender and descender are moved to
/// whole pixels (10 pt at 100 dpi: 0, 8, 10, 11, -3), which keeps letters crisp. All functions
/// below throw UsageError for text that is not valid UTF-8, or has a character that both fonts lack
/// or that cannot be drawn by itself, as in Hebrew or Hindi (fault_of_script()), and FormatError if
/// a needed part of the style's font is damaged.
struct TextStyle {
    double points;
    double dpi;
    std::shared_ptr<const Font> font = nullptr;  ///< null: only the built-in font
    /// Characters that both fonts lack are not refused but measured, for somebody else to draw: a
    /// column of a terminal is half an em. This is exact for Chinese, Japanese and Korean.
    bool may_lack = false;
};

/// The heights of an 'l' above and of a 'p' below the baseline in whole pixels, always of the
/// built-in font, so that the layout of a figure is the same with any font.
struct LineHeight {
    int ascent;
    int descent;
};

LineHeight line_height(const TextStyle& style);

/// A glyph of a text.
struct TextGlyph {
    const Font* font;  ///< the style's or the built-in one; null: neither has the character
    int number;        ///< in the font
    char32_t character;
    int kerning;  ///< between the glyph before and this one, in font units
};

/// Returns the characters of the text that both fonts lack, each once, in the order of their
/// numbers. What is refused for another reason, or is not valid UTF-8, is not among them.
std::u32string lacking(std::string_view text, const TextStyle& style);

/// Returns the glyphs of the text, in order. A character that the style may lack has no font.
std::vector<TextGlyph> glyphs_of(std::string_view text, const TextStyle& style);

/// Returns the number of pixels from the origin to where the next character would begin.
double text_advance(std::string_view text, const TextStyle& style);

/// Returns the box that the text covers; its origin is the pixel where the baseline begins.
InkBox text_ink(std::string_view text, const TextStyle& style);

/// Draws the text. The origin of the mask is the pixel where the baseline begins.
Mask draw_text(std::string_view text, const TextStyle& style);

/// The sine and the cosine of 45 degrees.
inline constexpr double half_turned = 0.70710678118654752;

/// Returns the box around `box` turned by 45 degrees to the left about the origin: text then runs
/// to the upper right.
InkBox slanted(InkBox box);

/// Draws the text turned so. Its heights are not moved to whole pixels.
Mask draw_slanted(std::string_view text, const TextStyle& style);

/// Returns the box or mask turned by 90 degrees to the left about the origin: text then runs
/// upwards.
InkBox turned(InkBox box);
Mask turned(const Mask& mask);

}  // namespace pegen
