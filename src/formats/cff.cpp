#include "formats/cff.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pegen {
namespace {

/// Returns the last `bytes` bytes of a number, the highest first.
std::string big_endian(int number, int bytes) {
    std::string text;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        text += static_cast<char>(number >> shift & 0xff);
    }
    return text;
}

/// Returns a number of at most 16 bits, as it stands before an operator.
std::string operand(int number) {
    if (std::abs(number) <= 107) return big_endian(number + 139, 1);
    if (number >= 108 && number <= 1131) return big_endian((247 << 8) + number - 108, 2);
    if (number >= -1131 && number <= -108) return big_endian((251 << 8) - number - 108, 2);
    return '\x1c' + big_endian(number, 2);
}

/// Returns an offset or a size. It always has five bytes, so that a DICT is as long before its
/// offsets are known.
std::string long_operand(std::size_t number) {
    return '\x1d' + big_endian(static_cast<int>(number), 4);
}

/// Returns an INDEX of Technical Note 5176: any number of objects, each with its offset.
std::string index_of(std::span<const std::string> objects) {
    std::string index = big_endian(static_cast<int>(objects.size()), 2);
    if (objects.empty()) return index;
    constexpr int bytes_per_offset = 4;
    index += static_cast<char>(bytes_per_offset);
    std::string data;
    index += big_endian(1, bytes_per_offset);
    for (const std::string& object : objects) {
        data += object;
        index += big_endian(static_cast<int>(data.size()) + 1, bytes_per_offset);
    }
    return index + data;
}

std::string index_of(const std::string& object) { return index_of(std::span(&object, 1)); }

constexpr char endchar = 14;

/// Returns the program that draws a glyph, a charstring of Technical Note 5177: its width, then
/// steps from point to point.
std::string charstring(const Font& font, int glyph) {
    constexpr char rlineto = 5, rrcurveto = 8, rmoveto = 21;
    std::string code = operand(per_mille(font, font.advance(glyph)));
    int at_x = 0, at_y = 0;
    const auto step = [&](double x, double y) {
        const int to_x = per_mille(font, x), to_y = per_mille(font, y);
        code += operand(to_x - at_x) + operand(to_y - at_y);
        at_x = to_x;
        at_y = to_y;
    };
    OutlinePart last{};
    for (const OutlinePart& part : font.outline(glyph)) {
        if (part.kind == OutlinePart::Kind::curve) {
            step((last.x + 2 * part.control_x) / 3.0, (last.y + 2 * part.control_y) / 3.0);
            step((part.x + 2 * part.control_x) / 3.0, (part.y + 2 * part.control_y) / 3.0);
        } else if (part.kind == OutlinePart::Kind::cubic) {
            step(part.control_x, part.control_y);
            step(part.last_control_x, part.last_control_y);
        }
        step(part.x, part.y);
        code += part.kind == OutlinePart::Kind::contour ? rmoveto
                : part.kind == OutlinePart::Kind::line  ? rlineto
                                                        : rrcurveto;
        last = part;
    }
    return code + endchar;
}

GlyphBox box_of(const Font& font, std::span<const int> glyphs) {
    GlyphBox all{};
    for (const int glyph : glyphs) {
        const GlyphBox box = font.box(glyph).value_or(GlyphBox{});
        all = {std::min(all.left, per_mille(font, box.left)),
               std::min(all.bottom, per_mille(font, box.bottom)),
               std::max(all.right, per_mille(font, box.right)),
               std::max(all.top, per_mille(font, box.top))};
    }
    return all;
}

}  // namespace

int per_mille(const Font& font, double units) {
    constexpr double most = 16000;
    return static_cast<int>(
        std::lround(std::clamp(1000 * units / font.units_per_em(), -most, most)));
}

CffFont cff_font(std::string_view name, const Font& font, std::span<const int> glyphs) {
    const GlyphBox box = box_of(font, glyphs);
    const int count = static_cast<int>(glyphs.size()) + 1;
    std::vector<std::string> charstrings{operand(0) + endchar};
    for (const int glyph : glyphs) charstrings.push_back(charstring(font, glyph));

    // The operators of the DICTs, of which those from 12 on have two bytes.
    using namespace std::string_literals;
    const std::string font_box = "\x05"s, charset = "\x0f"s, char_strings = "\x11"s,
                      private_dict = "\x12"s, default_width = "\x14"s, ros = "\x0c\x1e"s,
                      cid_count = "\x0c\x22"s, fd_array = "\x0c\x24"s, fd_select = "\x0c\x25"s;
    constexpr int first_own_string = 391;

    const std::string header = "\x01\x00\x04\x04"s;
    const std::string names = index_of(std::string(name));
    const std::string strings = index_of(std::vector{"Adobe"s, "Identity"s});
    const std::string no_subroutines = index_of(std::span<const std::string>());
    // One range each: CIDs count like glyphs, and all glyphs are of the one font in the array.
    const std::string cids = '\x02' + big_endian(1, 2) + big_endian(count - 2, 2);
    const std::string fonts =
        '\x03' + big_endian(1, 2) + big_endian(0, 2) + '\0' + big_endian(count, 2);
    const std::string outlines = index_of(charstrings);
    const std::string widths = operand(0) + default_width;

    struct Places {
        std::size_t cids, fonts, outlines, array, widths;
    };
    const auto top = [&](const Places& at) {
        return index_of(operand(first_own_string) + operand(first_own_string + 1) + operand(0) +
                        ros + operand(box.left) + operand(box.bottom) + operand(box.right) +
                        operand(box.top) + font_box + long_operand(count) + cid_count +
                        long_operand(at.cids) + charset + long_operand(at.fonts) + fd_select +
                        long_operand(at.outlines) + char_strings + long_operand(at.array) +
                        fd_array);
    };
    const auto array = [&](const Places& at) {
        return index_of(long_operand(widths.size()) + long_operand(at.widths) + private_dict);
    };
    Places at{};
    at.cids =
        header.size() + names.size() + top(at).size() + strings.size() + no_subroutines.size();
    at.fonts = at.cids + cids.size();
    at.outlines = at.fonts + fonts.size();
    at.array = at.outlines + outlines.size();
    at.widths = at.array + array(at).size();
    return {header + names + top(at) + strings + no_subroutines + cids + fonts + outlines +
                array(at) + widths,
            box};
}

}  // namespace pegen
