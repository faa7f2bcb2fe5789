#include "pegen/figure/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

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

/// Lowest and highest font unit of a letter.
struct Extent {
    int bottom;
    int top;
};

Extent extent_of(char letter) {
    int left = 0, right = 0;
    Extent extent{};
    stbtt_GetCodepointBox(&font(), letter, &left, &extent.bottom, &right, &extent.top);
    return extent;
}

/// From font units to pixels. Across it is a factor; upwards the heights that letters share are
/// moved to whole pixels, and what lies between them with them.
class Scale {
  public:
    explicit Scale(TextStyle style) {
        constexpr double points_per_inch = 72;
        const double em = style.points * style.dpi / points_per_inch;
        factor_ = stbtt_ScaleForMappingEmToPixels(&font(), static_cast<float>(em));
        // Round letters reach a little beyond flat ones, on both ends.
        const Extent x = extent_of('x'), o = extent_of('o'), capital = extent_of('H'),
                     round_capital = extent_of('O');
        const std::array shared{
            extent_of('p').bottom, o.bottom,          x.bottom,          x.top, o.top,
            capital.top,           round_capital.top, extent_of('l').top};
        for (std::size_t i = 0; i < shared.size(); ++i) {
            heights_[i] = {static_cast<double>(shared[i]), std::round(shared[i] * factor_)};
        }
    }

    double across(double units) const { return units * factor_; }

    double up(double units) const {
        if (units <= heights_.front().units) return beyond(heights_.front(), units);
        for (std::size_t i = 1; i < heights_.size(); ++i) {
            const Height &low = heights_[i - 1], &high = heights_[i];
            if (units > high.units) continue;
            return std::lerp(low.pixels, high.pixels,
                             (units - low.units) / (high.units - low.units));
        }
        return beyond(heights_.back(), units);
    }

    /// The height in font units that across() would put where up() does, cut to whole units.
    short up_in_units(int units) const { return static_cast<short>(up(units) / factor_); }

    float factor() const { return static_cast<float>(factor_); }

  private:
    struct Height {
        double units;
        double pixels;
    };
    double beyond(const Height& end, double units) const {
        return end.pixels + (units - end.units) * factor_;
    }

    double factor_;
    std::array<Height, 8> heights_{};
};

struct Glyph {
    int index;
    double pen;  ///< pixels right of the text's origin
};

struct Line {
    std::vector<Glyph> glyphs;
    double advance;
};

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

int glyph_of(const Character& character) {
    const int glyph = stbtt_FindGlyphIndex(&font(), static_cast<int>(character.code));
    if (glyph == 0 || is_control(character.code)) {
        const std::string shown =
            is_control(character.code) ? "" : fmt::format("'{}', ", character.bytes);
        throw UsageError(
            fmt::format("text of the figure: the built-in font, DejaVu Sans, lacks {}U+{:04X}; use "
                        "another character",
                        shown, static_cast<unsigned>(character.code)));
    }
    return glyph;
}

Line set_line(std::string_view text, const Scale& scale) {
    // Advances are whole eighths of a pixel, as those of hinted text in matplotlib, so that text
    // is as long as there.
    const auto in_eighths = [&](int units) { return std::round(8 * scale.across(units)) / 8; };
    Line line{{}, 0};
    for (const Character& character : decode_utf8(text)) {
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

InkBox ink_of(const Glyph& glyph, const Scale& scale) {
    int left = 0, bottom = 0, right = 0, top = 0;
    if (!stbtt_GetGlyphBox(&font(), glyph.index, &left, &bottom, &right, &top)) return {};
    const auto low = [](double pixels) { return static_cast<int>(std::floor(pixels)); };
    const auto high = [](double pixels) { return static_cast<int>(std::ceil(pixels)); };
    return {low(glyph.pen + scale.across(left)), low(-scale.up(top)),
            high(glyph.pen + scale.across(right)), high(-scale.up(bottom))};
}

bool is_empty(InkBox box) { return box.left >= box.right || box.top >= box.bottom; }

InkBox ink_of(const Line& line, const Scale& scale) {
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

/// The coverage of the pixels of `box`, the glyph's ink.
std::vector<std::uint8_t> cover(const Glyph& glyph, InkBox box, const Scale& scale) {
    std::vector<std::uint8_t> coverage(area(box));
    stbtt_vertex* outline = nullptr;
    const int count = stbtt_GetGlyphShape(&font(), glyph.index, &outline);
    const std::unique_ptr<stbtt_vertex, void (*)(stbtt_vertex*)> owner(
        outline, [](stbtt_vertex* vertices) { stbtt_FreeShape(&font(), vertices); });
    for (stbtt_vertex& vertex : std::span(outline, static_cast<std::size_t>(count))) {
        vertex.y = scale.up_in_units(vertex.y);
        vertex.cy = scale.up_in_units(vertex.cy);
    }
    const int width = box.right - box.left;
    stbtt__bitmap bitmap{width, box.bottom - box.top, width, coverage.data()};
    constexpr float flatness = 0.35f;  // pixels; stb's own choice
    constexpr int y_downwards = 1;
    // Whole pixels are in the offset, so that the shift keeps its digits.
    const double whole = std::floor(glyph.pen);
    stbtt_Rasterize(&bitmap, flatness, outline, count, scale.factor(), scale.factor(),
                    static_cast<float>(glyph.pen - whole), 0, box.left - static_cast<int>(whole),
                    box.top, y_downwards, nullptr);
    return coverage;
}

void add_glyph(TextMask& mask, const Glyph& glyph, const Scale& scale) {
    const InkBox box = ink_of(glyph, scale);
    if (is_empty(box)) return;
    const std::vector<std::uint8_t> coverage = cover(glyph, box, scale);
    for (int y = box.top; y < box.bottom; ++y) {
        for (int x = box.left; x < box.right; ++x) {
            std::uint8_t& sum = mask.coverage[offset(mask.box, x, y)];
            sum = static_cast<std::uint8_t>(std::min(255, sum + coverage[offset(box, x, y)]));
        }
    }
}

}  // namespace

LineHeight line_height(TextStyle style) {
    const Scale scale(style);
    return {static_cast<int>(scale.up(extent_of('l').top)),
            static_cast<int>(-scale.up(extent_of('p').bottom))};
}

double text_advance(std::string_view text, TextStyle style) {
    return set_line(text, Scale(style)).advance;
}

InkBox text_ink(std::string_view text, TextStyle style) {
    const Scale scale(style);
    return ink_of(set_line(text, scale), scale);
}

TextMask draw_text(std::string_view text, TextStyle style) {
    const Scale scale(style);
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
