#include "pegen/figure/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "figure/utf8.h"
#include "pegen/core/error.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

extern "C" const unsigned char dejavu_sans_begin[];

namespace pegen {
namespace {

const stbtt_fontinfo& font() {
    static const stbtt_fontinfo loaded = [] {
        stbtt_fontinfo info;
        if (!stbtt_InitFont(&info, dejavu_sans_begin, 0)) {
            throw std::logic_error("the built-in font is not a TrueType font");
        }
        return info;
    }();
    return loaded;
}

/// Pixels per font unit.
struct Scale {
    double across;
    double up;
};

int top_of(char letter) {
    int left = 0, bottom = 0, right = 0, top = 0;
    stbtt_GetCodepointBox(&font(), letter, &left, &bottom, &right, &top);
    return top;
}

int bottom_of(char letter) {
    int left = 0, bottom = 0, right = 0, top = 0;
    stbtt_GetCodepointBox(&font(), letter, &left, &bottom, &right, &top);
    return bottom;
}

Scale scale_of(TextStyle style) {
    constexpr double points_per_inch = 72;
    const double em = style.points * style.dpi / points_per_inch;
    const double scale = stbtt_ScaleForMappingEmToPixels(&font(), static_cast<float>(em));
    const int x_height = top_of('x');
    return {scale, std::max(1.0, std::round(x_height * scale)) / x_height};
}

struct Glyph {
    int index;
    double pen;  ///< pixels right of the text's origin
};

struct Line {
    std::vector<Glyph> glyphs;
    double advance;
};

int glyph_of(char32_t character) {
    const int glyph = stbtt_FindGlyphIndex(&font(), static_cast<int>(character));
    if (glyph == 0) {
        const auto code = static_cast<unsigned>(character);
        throw UsageError(
            fmt::format("text of the figure: the built-in font, DejaVu Sans, lacks the character "
                        "U+{:04X}; use another",
                        code));
    }
    return glyph;
}

Line set_line(std::string_view text, Scale scale) {
    // Advances are whole eighths of a pixel, as those of hinted text in matplotlib, so that text
    // is as long as there.
    const auto in_eighths = [&](int units) { return std::round(8 * units * scale.across) / 8; };
    Line line{{}, 0};
    for (const char32_t character : decode_utf8(text)) {
        const int glyph = glyph_of(character);
        if (!line.glyphs.empty()) {
            line.advance +=
                in_eighths(stbtt_GetGlyphKernAdvance(&font(), line.glyphs.back().index, glyph));
        }
        line.glyphs.push_back({glyph, line.advance});
        int advance = 0, bearing = 0;
        stbtt_GetGlyphHMetrics(&font(), glyph, &advance, &bearing);
        line.advance += in_eighths(advance);
    }
    return line;
}

/// A glyph's place on the pixels: its whole-pixel origin and the rest.
struct Placement {
    int whole;
    float rest;
};

Placement place(const Glyph& glyph) {
    const double whole = std::floor(glyph.pen);
    return {static_cast<int>(whole), static_cast<float>(glyph.pen - whole)};
}

InkBox ink_of(const Glyph& glyph, Scale scale) {
    const Placement at = place(glyph);
    InkBox box{};
    stbtt_GetGlyphBitmapBoxSubpixel(&font(), glyph.index, static_cast<float>(scale.across),
                                    static_cast<float>(scale.up), at.rest, 0, &box.left, &box.top,
                                    &box.right, &box.bottom);
    return {at.whole + box.left, box.top, at.whole + box.right, box.bottom};
}

bool is_empty(InkBox box) { return box.left >= box.right || box.top >= box.bottom; }

InkBox ink_of(const Line& line, Scale scale) {
    InkBox all{};
    for (const Glyph& glyph : line.glyphs) {
        const InkBox box = ink_of(glyph, scale);
        if (is_empty(box)) continue;
        all = is_empty(all)
                  ? box
                  : InkBox{std::min(all.left, box.left), std::min(all.top, box.top),
                           std::max(all.right, box.right), std::max(all.bottom, box.bottom)};
    }
    return all;
}

std::size_t area(InkBox box) {
    return static_cast<std::size_t>(box.right - box.left) *
           static_cast<std::size_t>(box.bottom - box.top);
}

std::size_t offset(InkBox box, int x, int y) {
    return static_cast<std::size_t>(y - box.top) * static_cast<std::size_t>(box.right - box.left) +
           static_cast<std::size_t>(x - box.left);
}

void add_glyph(TextMask& mask, const Glyph& glyph, Scale scale) {
    const InkBox box = ink_of(glyph, scale);
    if (is_empty(box)) return;
    std::vector<std::uint8_t> coverage(area(box));
    const int width = box.right - box.left;
    stbtt_MakeGlyphBitmapSubpixel(&font(), coverage.data(), width, box.bottom - box.top, width,
                                  static_cast<float>(scale.across), static_cast<float>(scale.up),
                                  place(glyph).rest, 0, glyph.index);
    for (int y = box.top; y < box.bottom; ++y) {
        for (int x = box.left; x < box.right; ++x) {
            std::uint8_t& sum = mask.coverage[offset(mask.box, x, y)];
            sum = static_cast<std::uint8_t>(std::min(255, sum + coverage[offset(box, x, y)]));
        }
    }
}

}  // namespace

LineHeight line_height(TextStyle style) {
    const Scale scale = scale_of(style);
    return {static_cast<int>(std::lround(top_of('l') * scale.up)),
            static_cast<int>(std::lround(-bottom_of('p') * scale.up))};
}

double text_advance(std::string_view text, TextStyle style) {
    return set_line(text, scale_of(style)).advance;
}

InkBox text_ink(std::string_view text, TextStyle style) {
    const Scale scale = scale_of(style);
    return ink_of(set_line(text, scale), scale);
}

TextMask draw_text(std::string_view text, TextStyle style) {
    const Scale scale = scale_of(style);
    const Line line = set_line(text, scale);
    TextMask mask{ink_of(line, scale), {}};
    mask.coverage.resize(area(mask.box));
    for (const Glyph& glyph : line.glyphs) add_glyph(mask, glyph, scale);
    return mask;
}

InkBox turned(InkBox box) { return {box.top, -box.right, box.bottom, -box.left}; }

TextMask turned(const TextMask& mask) {
    TextMask result{turned(mask.box), std::vector<std::uint8_t>(mask.coverage.size())};
    for (int y = mask.box.top; y < mask.box.bottom; ++y) {
        for (int x = mask.box.left; x < mask.box.right; ++x) {
            // A pixel is the square right of and below its number, hence the 1.
            result.coverage[offset(result.box, y, -x - 1)] = mask.coverage[offset(mask.box, x, y)];
        }
    }
    return result;
}

}  // namespace pegen
