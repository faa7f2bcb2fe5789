#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "figure/font_file.h"
#include "figure/text.h"

namespace pegen {

/// The box around the outline of a glyph, in font units; heights grow upwards.
struct GlyphBox {
    int left;
    int bottom;
    int right;
    int top;
};

/// A part of an outline, from where the part before ends to (x, y), in font units: a new contour
/// that begins there, a line, a quadratic curve with the control point (control_x, control_y), or a
/// cubic curve that has (last_control_x, last_control_y) as its second one.
struct OutlinePart {
    enum class Kind { contour, line, curve, cubic };
    Kind kind;
    int x;
    int y;
    int control_x = 0;
    int control_y = 0;
    int last_control_x = 0;
    int last_control_y = 0;
};

/// The data by which the outline of a glyph becomes pixels.
struct GlyphPlacing {
    float factor;  ///< pixels per font unit
    /// Moves a height of the outline, in font units. If it is null, the glyph is slanted: turned by
    /// 45 degrees to the left about its origin.
    std::function<short(int)> height;
    double pen;  ///< place of the glyph's origin, in pixels; of a slanted glyph also upwards
    InkBox box;  ///< the pixels to draw
};

/// Characters, measures and outlines of one font, read by stb_truetype. Glyphs are numbers of this
/// font; the functions below take only numbers that glyph() has returned.
///
/// FreeType is built for hostile fonts, so that font_file.h would not be needed. It was declined
/// because its rasteriser changes with its version, and with it the bytes of every figure, and
/// because it reads kerning from `kern` only, not from `GPOS`, where most fonts of today have it.
class Font {
  public:
    static const Font& built_in();
    explicit Font(std::unique_ptr<const FontFile> file);
    ~Font();

    /// Returns the name of the font for messages.
    std::string name() const;

    /// Returns the name of the font in a file that embeds it: "DejaVuSans", or the letters, digits
    /// and hyphens of its own name, or else of the name of its file.
    std::string embedded_name() const;

    /// Returns how a viewer finds the font.
    FontFace face() const;

    /// Returns the glyph of a character, or 0 if the font lacks the character.
    /// Throws: FormatError if the outline is damaged.
    int glyph(char32_t character) const;

    double factor(double em_in_pixels) const;  ///< pixels per font unit
    int units_per_em() const;
    int advance(int glyph) const;  ///< in font units, like all lengths below
    int kerning(int left, int right) const;
    std::optional<GlyphBox> box(int glyph) const;  ///< nothing if the glyph has no outline

    /// Returns the outline; its contours are closed, and filled by the nonzero winding rule.
    std::vector<OutlinePart> outline(int glyph) const;

    /// Writes the coverage, 0 to 255, of the pixels of placing.box. Precondition: `coverage` is all
    /// 0.
    void draw(int glyph, const GlyphPlacing& placing, std::span<std::uint8_t> coverage) const;

  private:
    Font();

    struct Info;  // stb_truetype's
    std::unique_ptr<const FontFile> file_;
    std::unique_ptr<const Info> info_;
};

}  // namespace pegen
