#pragma once

#include <span>
#include <string>
#include <string_view>

#include "figure/font.h"

namespace pegen {

// Fonts as PDF embeds them, in thousandths of an em: the unit of readers that do not look for
// another one.

/// Returns a length of the font in thousandths of an em, rounded. A font that is stranger than any
/// that is used is cut off 16 em from its origin, so that differences have 16 bits.
int per_mille(const Font& font, double units);

/// A font of some glyphs of another one.
struct CffFont {
    std::string program;  ///< Compact Font Format, Adobe's Technical Note 5176
    GlyphBox box;         ///< around all glyphs, in thousandths of an em
};

/// Returns a font whose glyph i + 1, and CID i + 1, is glyph `glyphs[i]` of `font`; glyph 0 is
/// empty. Curves of TrueType, which are quadratic, become cubic ones of the same shape. There are
/// at most 65534 glyphs. Throws: FormatError if an outline is damaged.
CffFont cff_font(std::string_view name, const Font& font, std::span<const int> glyphs);

}  // namespace pegen
