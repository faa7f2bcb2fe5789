#include "figure/font_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"

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

/// Appends a unit of UTF-16 as UTF-8. What is no printable character of the first 2^16 is left out:
/// no font's name needs it.
void append_utf16(std::string& text, char16_t unit) {
    const bool is_surrogate = unit >= 0xd800 && unit < 0xe000;
    if (is_obeyed(unit) || is_surrogate) return;
    if (unit < 0x80) {
        text += static_cast<char>(unit);
        return;
    }
    text += static_cast<char>(unit < 0x800 ? 0xc0 | unit >> 6 : 0xe0 | unit >> 12);
    if (unit >= 0x800) text += static_cast<char>(0x80 | (unit >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (unit & 0x3f));
}

}  // namespace

FontFile::FontFile(const InputFile& file, std::int64_t number)
    : path_(file.path()), bytes_(file, most_bytes) {
    find_start(number);
    check_directory();
    const Table head = need("head", 54);
    const std::int64_t units_per_em = u16(head.offset + 18);
    if (units_per_em < 16 || units_per_em > 16384) {
        throw FormatError(name(), head.offset + 18, "font units per em: must be 16 to 16384");
    }
    glyphs_ = static_cast<int>(u16(need("maxp", 6).offset + 4));
    need("cmap", 4);
    need("hmtx", 4 * u16(need("hhea", 36).offset + 34));
    if (find("glyf").offset == 0) {  // which stb_truetype looks for first
        if (find("CFF ").offset == 0) {
            throw FormatError(name(), "has no outlines in glyf or CFF, the supported kinds");
        }
        const Table table = need("CFF ", 4);
        cff_.emplace(name(), table.offset,
                     std::span(begin() + table.offset, static_cast<std::size_t>(table.length)));
        return;
    }
    outlines_ = need("glyf", 1);
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

void FontFile::find_start(std::int64_t number) {
    std::int64_t start = 0;
    const bool is_collection = size() >= 16 && u32(0) == tag_number("ttcf");
    const std::int64_t fonts = is_collection ? u32(8) : 1;
    if (fonts > 0 && number >= fonts && (is_collection || is_font_tag(u32(0)))) {
        throw UsageError(fmt::format("{}: has {}; {}#{} is the last one", name(),
                                     fonts == 1 ? "one font" : fmt::format("{} fonts", fonts),
                                     path_, fonts - 1));
    }
    if (is_collection) start = u32(12 + 4 * number);
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

std::string FontFile::own_name(NameKind kind) const {
    const Table table = find("name");
    if (table.length < 6) return "";
    constexpr std::int64_t record = 12, unicode = 0, macintosh = 1, windows = 3, english = 0x409;
    const std::int64_t end = table.offset + table.length,
                       texts = table.offset + u16(table.offset + 4);
    std::string best;
    int best_rank = 0;
    for (std::int64_t i = 0; i < u16(table.offset + 2); ++i) {
        const std::int64_t at = table.offset + 6 + record * i;
        if (at + record > end) break;
        const std::int64_t system = u16(at), text = texts + u16(at + 10), bytes = u16(at + 8);
        if (u16(at + 6) != static_cast<int>(kind) || text + bytes > end) continue;
        const int rank = system == windows     ? (u16(at + 4) == english ? 4 : 3)
                         : system == unicode   ? 2
                         : system == macintosh ? 1
                                               : 0;
        if (rank <= best_rank) continue;
        best_rank = rank;
        best.clear();
        // The letters of a Macintosh are read as far as they are ASCII.
        for (std::int64_t place = text; place < text + bytes; place += rank == 1 ? 1 : 2) {
            const std::int64_t unit = rank == 1 ? begin()[place] : u16(place);
            append_utf16(best, static_cast<char16_t>(unit));
        }
    }
    return best;
}

int FontFile::weight() const {
    constexpr int regular = 400;
    const Table table = find("OS/2");
    return table.length >= 6 ? static_cast<int>(u16(table.offset + 4)) : regular;
}

bool FontFile::is_italic() const {
    const Table table = find("OS/2");
    return table.length >= 64 && (u16(table.offset + 62) & 1) != 0;
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
    if (cff_) return cff_->check(glyph);
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
