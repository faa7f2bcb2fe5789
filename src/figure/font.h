#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "figure/font_file.h"
#include "figure/text.h"

namespace pegen {

/// In font units, upwards.
struct GlyphBox {
    int left;
    int bottom;
    int right;
    int top;
};

/// From a glyph's outline to pixels.
struct GlyphPlacing {
    float factor;                      ///< pixels in a font unit
    std::function<short(int)> height;  ///< moves a height of the outline, in font units
    double pen;                        ///< pixels right of the origin
    InkBox box;                        ///< the pixels that are asked for
};

/// Characters, measures and outlines of one font. Glyphs are numbers of this font; those that
/// glyph() has returned may be asked for.
class Font {
  public:
    static const Font& built_in();
    explicit Font(std::unique_ptr<const FontFile> file);
    ~Font();

    /// Where a message says which font it is.
    std::string name() const;

    /// 0: the font has no such character. Throws: FormatError if the outline is damaged.
    int glyph(char32_t character) const;

    double factor(double em_in_pixels) const;  ///< pixels in a font unit
    int advance(int glyph) const;              ///< in font units, like all that follow
    int kerning(int left, int right) const;
    std::optional<GlyphBox> box(int glyph) const;  ///< none: no outline

    /// Coverage, 0 to 255, of the pixels of the box, all 0 before.
    void draw(int glyph, const GlyphPlacing& placing, std::span<std::uint8_t> coverage) const;

  private:
    Font();

    struct Info;  // stb_truetype's
    std::unique_ptr<const FontFile> file_;
    std::unique_ptr<const Info> info_;
};

}  // namespace pegen
