#include "figure/font_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace pegen {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{64} << 20;
constexpr std::int64_t directory_head = 12;
constexpr std::int64_t directory_entry = 16;

constexpr std::int64_t tag_number(std::string_view tag) {
    std::int64_t number = 0;
    for (const char letter : tag) number = number << 8 | static_cast<unsigned char>(letter);
    return number;
}

constexpr bool is_font_tag(std::int64_t tag) {
    return tag == 0x00010000 || tag == tag_number("true") || tag == tag_number("OTTO");
}

}  // namespace

FontFile::FontFile(std::string_view path) : path_(path), bytes_(path, most_bytes) {
    find_start();
    check_directory();
    const Table head = need("head", 54);
    const std::int64_t units_per_em = u16(head.offset + 18);
    if (units_per_em < 16 || units_per_em > 16384) {
        throw FormatError(name(), head.offset + 18, "font units per em: must be 16 to 16384");
    }
    glyphs_ = static_cast<int>(u16(need("maxp", 6).offset + 4));
    need("cmap", 4);
    need("hmtx", 4 * u16(need("hhea", 36).offset + 34));
    outlines_ = find("glyf");
    if (outlines_.length == 0) {
        // stb_truetype does not check the bounds of CFF outlines well enough for hostile files.
        throw FormatError(name(), "has no glyf outlines, the only kind that is supported");
    }
    const std::int64_t kind = u16(head.offset + 50);
    if (kind > 1) throw FormatError(name(), head.offset + 50, "kind of offsets: must be 0 or 1");
    has_long_offsets_ = kind == 1;
    offsets_ = need("loca", (glyphs_ + 1) * (has_long_offsets_ ? 4 : 2));
}

// No bounds are checked here: FencedBytes has zeros beyond the file.
std::int64_t FontFile::u16(std::int64_t offset) const {
    const unsigned char* at = begin() + offset;
    return at[0] << 8 | at[1];
}

std::int64_t FontFile::u32(std::int64_t offset) const {
    return u16(offset) << 16 | u16(offset + 2);
}

void FontFile::find_start() {
    std::int64_t start = 0;
    if (size() >= 16 && u32(0) == tag_number("ttcf")) start = u32(12);
    if (start + directory_head > size() || !is_font_tag(u32(start))) {
        throw FormatError(name(), "is not a TrueType or OpenType font");
    }
    start_ = static_cast<int>(start);
}

void FontFile::check_directory() const {
    const std::int64_t entries = u16(start_ + 4);
    if (start_ + directory_head + entries * directory_entry > size()) {
        throw FormatError(name(), size(), "the font ends in its directory of tables");
    }
    for (std::int64_t i = 0; i < entries; ++i) {
        const std::int64_t entry = start_ + directory_head + i * directory_entry;
        if (u32(entry + 8) + u32(entry + 12) > size()) {
            throw FormatError(name(), entry, "a table of the font reaches beyond its end");
        }
    }
}

FontFile::Table FontFile::find(std::string_view tag) const {
    const std::int64_t entries = u16(start_ + 4);
    for (std::int64_t i = 0; i < entries; ++i) {
        const std::int64_t entry = start_ + directory_head + i * directory_entry;
        if (u32(entry) == tag_number(tag)) return {u32(entry + 8), u32(entry + 12)};
    }
    return {};
}

FontFile::Table FontFile::need(std::string_view tag, std::int64_t least_bytes) const {
    const Table table = find(tag);
    if (table.length < std::max<std::int64_t>(1, least_bytes)) {
        throw FormatError(name(), fmt::format("is a damaged font: table {} is {}", tag,
                                              table.length == 0 ? "missing" : "too short"));
    }
    return table;
}

/// Returns the offset of the outline of a glyph; 0 if the glyph has no outline.
std::int64_t FontFile::outline_offset(int glyph) const {
    if (glyph >= glyphs_) return 0;
    const auto offset = [&](std::int64_t number) {
        return has_long_offsets_ ? u32(offsets_.offset + 4 * number)
                                 : 2 * u16(offsets_.offset + 2 * number);
    };
    const std::int64_t begin = offset(glyph);
    return begin == offset(glyph + 1) ? 0 : outlines_.offset + begin;
}

void FontFile::check_outline(int glyph) const {
    // Glyphs of real fonts have hundreds of points, at most thousands.
    Effort effort{.components = 256, .points = 1 << 17};
    check_outline(glyph, 8, effort);
}

void FontFile::check_outline(int glyph, int depth, Effort& effort) const {
    const std::int64_t outline = outline_offset(glyph);
    if (outline == 0) return;
    const auto check = [&](bool is_good) {
        if (!is_good) throw FormatError(name(), outline, "a glyph of the font is damaged");
    };
    constexpr std::int64_t head = 10;
    check(outline + head <= size());
    const auto contours = static_cast<std::int16_t>(u16(outline));
    if (contours >= 0) {
        std::int64_t last = -1;
        for (std::int64_t i = 0; i < contours; ++i) {
            const std::int64_t end = u16(outline + head + 2 * i);
            check(end >= last);
            last = end;
        }
        effort.points -= static_cast<int>(last + 1);
        check(effort.points >= 0);
        return;
    }
    constexpr std::int64_t has_words = 1, has_shifts = 2, has_scale = 8, has_more = 32,
                           has_two_scales = 64, has_matrix = 128;
    std::int64_t at = outline + head;
    for (std::int64_t flags = has_more; (flags & has_more) != 0;) {
        check(depth > 0 && effort.components-- > 0 && at + 4 <= size());
        flags = u16(at);
        check_outline(static_cast<int>(u16(at + 2)), depth - 1, effort);
        // Shifts are read like in stb_truetype, which ignores that they may be given as numbers of
        // points.
        const std::int64_t shifts = (flags & has_shifts) == 0  ? 0
                                    : (flags & has_words) == 0 ? 2
                                                               : 4;
        const std::int64_t scales = (flags & has_scale) != 0        ? 1
                                    : (flags & has_two_scales) != 0 ? 2
                                    : (flags & has_matrix) != 0     ? 4
                                                                    : 0;
        at += 4 + shifts + 2 * scales;
    }
}

}  // namespace pegen
