#include "figure/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/shape.h"
#include "core/utf8.h"
#include "figure/font.h"

namespace pegen {
namespace {

enum class Fault : std::uint8_t { leftwards, joining, mark, turning };

struct Block {
    char32_t first;
    char32_t last;
    Fault fault;
    std::string_view name;
};

using enum Fault;

/// The blocks of Unicode 15 whose characters cannot be drawn one by one.
constexpr std::array blocks{
    Block{0x0300, 0x036f, mark, ""},
    Block{0x0483, 0x0489, mark, ""},
    Block{0x0590, 0x05ff, leftwards, "Hebrew"},
    Block{0x0600, 0x06ff, leftwards, "Arabic"},
    Block{0x0700, 0x074f, leftwards, "Syriac"},
    Block{0x0750, 0x077f, leftwards, "Arabic"},
    Block{0x0780, 0x07bf, leftwards, "Thaana"},
    Block{0x07c0, 0x07ff, leftwards, "N'Ko"},
    Block{0x0800, 0x083f, leftwards, "Samaritan"},
    Block{0x0840, 0x085f, leftwards, "Mandaic"},
    Block{0x0860, 0x086f, leftwards, "Syriac"},
    Block{0x0870, 0x08ff, leftwards, "Arabic"},
    Block{0x0900, 0x097f, joining, "Devanagari"},
    Block{0x0980, 0x09ff, joining, "Bengali"},
    Block{0x0a00, 0x0a7f, joining, "Gurmukhi"},
    Block{0x0a80, 0x0aff, joining, "Gujarati"},
    Block{0x0b00, 0x0b7f, joining, "Oriya"},
    Block{0x0b80, 0x0bff, joining, "Tamil"},
    Block{0x0c00, 0x0c7f, joining, "Telugu"},
    Block{0x0c80, 0x0cff, joining, "Kannada"},
    Block{0x0d00, 0x0d7f, joining, "Malayalam"},
    Block{0x0d80, 0x0dff, joining, "Sinhala"},
    Block{0x0e31, 0x0e31, mark, ""},
    Block{0x0e34, 0x0e3a, mark, ""},
    Block{0x0e47, 0x0e4e, mark, ""},
    Block{0x0eb1, 0x0eb1, mark, ""},
    Block{0x0eb4, 0x0ebc, mark, ""},
    Block{0x0ec8, 0x0ece, mark, ""},
    Block{0x0f00, 0x0fff, joining, "Tibetan"},
    Block{0x1000, 0x109f, joining, "Burmese"},
    Block{0x1100, 0x11ff, joining, "Hangul in parts"},
    Block{0x135d, 0x135f, mark, ""},
    Block{0x1700, 0x177f, joining, "a script of the Philippines"},
    Block{0x1780, 0x17ff, joining, "Khmer"},
    Block{0x1800, 0x18af, joining, "Mongolian"},
    Block{0x1900, 0x194f, joining, "Limbu"},
    Block{0x1a00, 0x1a1f, joining, "Buginese"},
    Block{0x1a20, 0x1aaf, joining, "Tai Tham"},
    Block{0x1ab0, 0x1aff, mark, ""},
    Block{0x1b00, 0x1b7f, joining, "Balinese"},
    Block{0x1b80, 0x1bbf, joining, "Sundanese"},
    Block{0x1bc0, 0x1bff, joining, "Batak"},
    Block{0x1c00, 0x1c4f, joining, "Lepcha"},
    Block{0x1cd0, 0x1cff, mark, ""},
    Block{0x1dc0, 0x1dff, mark, ""},
    Block{0x200e, 0x200f, turning, ""},
    Block{0x202a, 0x202e, turning, ""},
    Block{0x2066, 0x2069, turning, ""},
    Block{0x20d0, 0x20f0, mark, ""},
    Block{0x2cef, 0x2cf1, mark, ""},
    Block{0x2de0, 0x2dff, mark, ""},
    Block{0x302a, 0x302f, mark, ""},
    Block{0x3099, 0x309a, mark, ""},
    Block{0xa66f, 0xa672, mark, ""},
    Block{0xa674, 0xa67d, mark, ""},
    Block{0xa69e, 0xa69f, mark, ""},
    Block{0xa6f0, 0xa6f1, mark, ""},
    Block{0xa800, 0xa82f, joining, "Syloti Nagri"},
    Block{0xa840, 0xa87f, joining, "Phags-pa"},
    Block{0xa880, 0xa8df, joining, "Saurashtra"},
    Block{0xa8e0, 0xa8ff, joining, "Devanagari"},
    Block{0xa900, 0xa92f, joining, "Kayah Li"},
    Block{0xa930, 0xa95f, joining, "Rejang"},
    Block{0xa960, 0xa97f, joining, "Hangul in parts"},
    Block{0xa980, 0xa9df, joining, "Javanese"},
    Block{0xa9e0, 0xa9ff, joining, "Burmese"},
    Block{0xaa00, 0xaa5f, joining, "Cham"},
    Block{0xaa60, 0xaa7f, joining, "Burmese"},
    Block{0xaa80, 0xaadf, joining, "Tai Viet"},
    Block{0xaae0, 0xaaff, joining, "Meetei Mayek"},
    Block{0xabc0, 0xabff, joining, "Meetei Mayek"},
    Block{0xd7b0, 0xd7ff, joining, "Hangul in parts"},
    Block{0xfb1d, 0xfb4f, leftwards, "Hebrew"},
    Block{0xfb50, 0xfdff, leftwards, "Arabic"},
    Block{0xfe20, 0xfe2f, mark, ""},
    Block{0xfe70, 0xfefc, leftwards, "Arabic"},
    Block{0x10800, 0x10fff, leftwards, "a script of the ancient or the modern Orient"},
    Block{0x11000, 0x11fff, joining, "a script of South or Southeast Asia"},
    Block{0x1e800, 0x1edff, leftwards, "a script of Africa or Asia"},
    Block{0x1ee00, 0x1eeff, leftwards, "Arabic"},
};

static_assert(std::ranges::is_sorted(blocks, {}, &Block::first));

}  // namespace

std::string fault_of_script(char32_t character) {
    const auto* block = std::ranges::lower_bound(blocks, character, {}, &Block::last);
    if (block == blocks.end() || character < block->first) return "";
    const auto code = static_cast<std::uint32_t>(character);
    switch (block->fault) {
        case leftwards:
            return fmt::format(
                "contains {}, which is written from right to left and cannot be drawn",
                block->name);
        case joining:
            return fmt::format("contains {}, which needs shaping and cannot be drawn", block->name);
        case mark:
            return fmt::format(
                "contains U+{:04X}, a combining mark, which cannot be "
                "drawn; use a letter that has its mark, such as \u00e9",
                code);
        case turning:
            break;
    }
    return fmt::format("contains U+{:04X}, which turns the direction of text and cannot be drawn",
                       code);
}

namespace {

constexpr double points_per_inch = 72;

/// The conversion from font units to pixels. Widths are multiplied by a factor; the heights that
/// letters share are moved to whole pixels, and heights between them are interpolated.
class FontScale {
  public:
    FontScale(const Font& font, const TextStyle& style) {
        factor_ = font.factor(style.points * style.dpi / points_per_inch);
        const auto box = [&](char32_t letter) {
            return font.box(font.glyph(letter)).value_or(GlyphBox{});
        };
        // Round letters reach a little beyond flat ones, above and below.
        const GlyphBox x = box('x'), o = box('o'), capital = box('H'), round_capital = box('O');
        const std::array shared{box('p').bottom, o.bottom,    x.bottom,          x.top,
                                o.top,           capital.top, round_capital.top, box('l').top};
        // Fonts of other scripts may lack these letters, or have other proportions.
        is_crisp_ = x.top > 0 && std::is_sorted(shared.begin(), shared.end());
        for (std::size_t i = 0; i < shared.size(); ++i) {
            heights_[i] = {static_cast<double>(shared[i]), std::round(shared[i] * factor_)};
        }
    }

    double across(double units) const { return units * factor_; }

    double up(double units) const {
        if (!is_crisp_) return units * factor_;
        if (units <= heights_.front().units) return beyond(heights_.front(), units);
        for (std::size_t i = 1; i < heights_.size(); ++i) {
            const Height &low = heights_[i - 1], &high = heights_[i];
            if (units > high.units) continue;
            return std::lerp(low.pixels, high.pixels,
                             (units - low.units) / (high.units - low.units));
        }
        return beyond(heights_.back(), units);
    }

    /// Returns, in whole font units, the height that across() would convert to the pixels of
    /// up(units).
    short up_in_units(int units) const {
        using Limits = std::numeric_limits<short>;
        return static_cast<short>(
            std::clamp<double>(up(units) / factor_, Limits::min(), Limits::max()));
    }

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
    bool is_crisp_;
    std::array<Height, 8> heights_{};
};

struct ScaledFont {
    const Font* font;
    FontScale scale;
};

/// Returns the fonts in which characters are looked up, in this order.
std::vector<const Font*> fonts_of(const TextStyle& style) {
    if (!style.font) return {&Font::built_in()};
    return {style.font.get(), &Font::built_in()};
}

std::vector<ScaledFont> scaled_fonts_of(const TextStyle& style) {
    std::vector<ScaledFont> fonts;
    for (const Font* font : fonts_of(style)) fonts.push_back({font, FontScale(*font, style)});
    return fonts;
}

struct Glyph {
    const ScaledFont* in;
    int index;
    double pen;  ///< pixels right of the text's origin
};

struct Line {
    std::vector<Glyph> glyphs;
    std::vector<InkBox> of_others;  ///< where characters are that somebody else draws
    double advance;
};

[[noreturn]] void refuse(const Character& character, const std::vector<const Font*>& fonts) {
    const auto code = static_cast<unsigned>(character.code);
    const std::string built_in = Font::built_in().name();
    if (fonts.size() == 1) {
        throw UsageError(
            fmt::format("{}, lacks '{}', U+{:04X}; give a font that has it with --font", built_in,
                        character.bytes, code));
    }
    throw UsageError(
        fmt::format("both {} and {}, lack '{}', U+{:04X}; give another font with --font",
                    fonts.front()->name(), built_in, character.bytes, code));
}

/// Checks a character. Throws: UsageError if no font can show it by itself.
void check_character(char32_t code) {
    if (is_control(code)) {
        throw UsageError(fmt::format("contains {}, which cannot be drawn",
                                     code == '\t'   ? "a tab"
                                     : code == '\n' ? "a line break"
                                                    : fmt::format("the control character U+{:04X}",
                                                                  static_cast<unsigned>(code))));
    }
    if (const std::string fault = fault_of_script(code); !fault.empty()) throw UsageError(fault);
}

/// Returns the glyph of a character in the first font that has it. The font is null if none has it.
TextGlyph glyph_of(const Character& character, const std::vector<const Font*>& fonts) {
    check_character(character.code);
    for (const Font* font : fonts) {
        if (const int number = font->glyph(character.code)) {
            return {font, number, character.code, 0};
        }
    }
    return {nullptr, 0, character.code, 0};
}

/// Places the glyphs of a text in a line. `fonts` are the style's; they must outlive the line.
Line set_line(std::string_view text, const TextStyle& style, const std::vector<ScaledFont>& fonts) {
    Line line{{}, {}, 0};
    const auto advance = [&](double pixels) {
        // Widths are rounded to eighths of a pixel, like hinted text in matplotlib, so that text is
        // as long.
        line.advance += std::round(8 * pixels) / 8;
        // The limit is longer than any picture, and fits in an int.
        constexpr double longest = 1e8;
        line.advance = std::clamp(line.advance, -longest, longest);
    };
    const std::vector<Character> characters = decode_utf8(text);
    const std::vector<TextGlyph> glyphs = glyphs_of(text, style);
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        const TextGlyph& glyph = glyphs[i];
        if (!glyph.font) {
            const double begin = line.advance, em = style.points * style.dpi / points_per_inch;
            advance(em * display_width(characters[i].bytes) / 2);
            // The square of a Chinese character goes down by an eighth of it.
            line.of_others.push_back({static_cast<int>(begin), static_cast<int>(-em * 7 / 8),
                                      static_cast<int>(std::ceil(line.advance)),
                                      static_cast<int>(em / 8)});
            continue;
        }
        const ScaledFont& in = *std::ranges::find(fonts, glyph.font, &ScaledFont::font);
        advance(in.scale.across(glyph.kerning));
        line.glyphs.push_back({&in, glyph.number, line.advance});
        advance(in.scale.across(glyph.font->advance(glyph.number)));
    }
    return line;
}

InkBox ink_of(const Glyph& glyph) {
    const std::optional<GlyphBox> box = glyph.in->font->box(glyph.index);
    if (!box) return {};
    const FontScale& scale = glyph.in->scale;
    const auto low = [](double pixels) { return static_cast<int>(std::floor(pixels)); };
    const auto high = [](double pixels) { return static_cast<int>(std::ceil(pixels)); };
    return {low(glyph.pen + scale.across(box->left)), low(-scale.up(box->top)),
            high(glyph.pen + scale.across(box->right)), high(-scale.up(box->bottom))};
}

bool is_empty(InkBox box) { return box.left >= box.right || box.top >= box.bottom; }

InkBox ink_of(const Line& line) {
    InkBox all{};
    const auto add = [&](InkBox box) {
        if (is_empty(box)) return;
        all = is_empty(all)
                  ? box
                  : InkBox{std::min(all.left, box.left), std::min(all.top, box.top),
                           std::max(all.right, box.right), std::max(all.bottom, box.bottom)};
    };
    for (const Glyph& glyph : line.glyphs) add(ink_of(glyph));
    for (const InkBox& box : line.of_others) add(box);
    return all;
}

std::size_t area(InkBox box) {
    return to_size(box.right - box.left) * to_size(box.bottom - box.top);
}

std::size_t offset(InkBox box, int x, int y) {
    return to_size(y - box.top) * to_size(box.right - box.left) + to_size(x - box.left);
}

/// Draws the glyph into a mask that has room for it.
void add_glyph(Mask& mask, const Glyph& glyph, bool is_slanted) {
    const FontScale& scale = glyph.in->scale;
    InkBox box = ink_of(glyph);
    if (is_slanted) box = slanted(box);
    if (is_empty(box)) return;
    std::vector<std::uint8_t> coverage(area(box));
    GlyphPlacing placing{scale.factor(), [&](int units) { return scale.up_in_units(units); },
                         glyph.pen, box};
    if (is_slanted) {
        placing.height = nullptr;
        placing.pen = half_turned * glyph.pen;
    }
    glyph.in->font->draw(glyph.index, placing, coverage);
    for (int y = box.top; y < box.bottom; ++y) {
        for (int x = box.left; x < box.right; ++x) {
            std::uint8_t& sum = mask.coverage[offset(mask.box, x, y)];
            sum = static_cast<std::uint8_t>(std::min(255, sum + coverage[offset(box, x, y)]));
        }
    }
}

Mask drawn(std::string_view text, const TextStyle& style, bool is_slanted) {
    const std::vector<ScaledFont> fonts = scaled_fonts_of(style);
    const Line line = set_line(text, style, fonts);
    Mask mask{is_slanted ? slanted(ink_of(line)) : ink_of(line), {}};
    mask.coverage.resize(area(mask.box));
    for (const Glyph& glyph : line.glyphs) add_glyph(mask, glyph, is_slanted);
    return mask;
}

}  // namespace

LineHeight line_height(const TextStyle& style) {
    const Font& font = Font::built_in();
    const FontScale scale(font, style);
    return {static_cast<int>(scale.up(font.box(font.glyph('l')).value().top)),
            static_cast<int>(-scale.up(font.box(font.glyph('p')).value().bottom))};
}

std::u32string lacking(std::string_view text, const TextStyle& style) {
    const std::vector<const Font*> fonts = fonts_of(style);
    std::set<char32_t> found;
    try {
        for (const Character& character : decode_utf8(text)) {
            const bool is_drawn =
                !is_control(character.code) && fault_of_script(character.code).empty();
            if (is_drawn && !glyph_of(character, fonts).font) found.insert(character.code);
        }
    } catch (const UsageError&) {  // not valid UTF-8
        return {};
    }
    return {found.begin(), found.end()};
}

std::vector<TextGlyph> glyphs_of(std::string_view text, const TextStyle& style) {
    const std::vector<const Font*> fonts = fonts_of(style);
    std::vector<TextGlyph> glyphs;
    for (const Character& character : decode_utf8(text)) {
        TextGlyph glyph = glyph_of(character, fonts);
        if (!glyph.font && !style.may_lack) refuse(character, fonts);
        if (glyph.font && !glyphs.empty() && glyphs.back().font == glyph.font) {
            glyph.kerning = glyph.font->kerning(glyphs.back().number, glyph.number);
        }
        glyphs.push_back(glyph);
    }
    return glyphs;
}

double text_advance(std::string_view text, const TextStyle& style) {
    return set_line(text, style, scaled_fonts_of(style)).advance;
}

InkBox text_ink(std::string_view text, const TextStyle& style) {
    const std::vector<ScaledFont> fonts = scaled_fonts_of(style);
    return ink_of(set_line(text, style, fonts));
}

Mask draw_text(std::string_view text, const TextStyle& style) { return drawn(text, style, false); }

Mask draw_slanted(std::string_view text, const TextStyle& style) {
    return drawn(text, style, true);
}

InkBox slanted(InkBox box) {
    if (is_empty(box)) return {};
    const auto low = [](int a) { return static_cast<int>(std::floor(half_turned * a)) - 1; };
    const auto high = [](int a) { return static_cast<int>(std::ceil(half_turned * a)) + 1; };
    return {low(box.left + box.top), low(box.top - box.right), high(box.right + box.bottom),
            high(box.bottom - box.left)};
}

InkBox turned(InkBox box) { return {box.top, -box.right, box.bottom, -box.left}; }

Mask turned(const Mask& mask) {
    Mask result{turned(mask.box), std::vector<std::uint8_t>(mask.coverage.size())};
    for (int y = mask.box.top; y < mask.box.bottom; ++y) {
        for (int x = mask.box.left; x < mask.box.right; ++x) {
            // Pixel x covers x to x + 1, which is turned to -x - 1 to -x.
            result.coverage[offset(result.box, y, -x - 1)] = mask.coverage[offset(mask.box, x, y)];
        }
    }
    return result;
}

}  // namespace pegen
