#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pegen::testing {

/// Returns a number of 2 or 4 bytes in the byte order of fonts.
inline std::string u16(std::int64_t number) {
    return {static_cast<char>(number >> 8 & 0xff), static_cast<char>(number & 0xff)};
}
inline std::string u32(std::int64_t number) { return u16(number >> 16) + u16(number); }

/// Returns a glyph with the points of one square from 0 to 1000; `ends` are the last points of its
/// contours.
inline std::string square(const std::vector<int>& ends = {3}) {
    std::string glyph =
        u16(static_cast<std::int64_t>(ends.size())) + u16(0) + u16(0) + u16(1000) + u16(1000);
    for (const int end : ends) glyph += u16(end);
    glyph += u16(0) + "\x01\x01\x01\x01";
    for (const int x : {0, 0, 1000, 0}) glyph += u16(x);
    for (const int y : {0, 1000, 0, -1000}) glyph += u16(y);
    return glyph;
}

/// Returns a glyph composed of `count` copies of glyph `number`.
inline std::string copies(int number, int count) {
    std::string glyph = u16(-1) + u16(0) + u16(0) + u16(1000) + u16(1000);
    for (int i = 0; i < count; ++i) {
        glyph += u16(i + 1 < count ? 0x22 : 0x02) + u16(number) + u16(0);
    }
    return glyph;
}

using Tables = std::vector<std::pair<std::string, std::string>>;

/// Returns the tables that every font has, with 1000 units in an em, which is the advance of each
/// character. The only character is `character`, glyph 1. The font has the names of `family` if
/// that is not empty.
inline Tables common_tables(int character, const std::string& family) {
    Tables tables{
        {"cmap", u16(0) + u16(1) + u16(3) + u16(10) + u32(12) + u16(12) + u16(0) + u32(28) +
                     u32(0) + u32(1) + u32(character) + u32(character) + u32(1)},
        {"head", std::string(18, '\0') + u16(1000) + std::string(30, '\0') + u16(1) + u16(0)},
        {"hhea", std::string(34, '\0') + u16(1)},
        {"hmtx", u16(1000) + u16(0) + u16(0)},
        {"maxp", u32(0x10000) + u16(2)}};
    if (family.empty()) return tables;
    std::string records, texts;
    const std::vector<std::pair<int, std::string>> names{
        {1, family}, {2, "Regular"}, {4, family + " Regular"}, {6, family + "-Regular"}};
    for (const auto& [kind, name] : names) {
        std::string text;
        for (const char c : name) text += u16(c);
        records += u16(3) + u16(1) + u16(0x409) + u16(kind) +
                   u16(static_cast<std::int64_t>(text.size())) +
                   u16(static_cast<std::int64_t>(texts.size()));
        texts += text;
    }
    tables.emplace_back("name", u16(0) + u16(4) + u16(6 + 4 * 12) + records + texts);
    return tables;
}

/// Returns the font, whose first byte will be at `place` of a file.
inline std::string assembled(const std::string& kind, Tables tables, std::int64_t place) {
    std::sort(tables.begin(), tables.end());
    const auto count = static_cast<std::int64_t>(tables.size());
    std::string head = kind + u16(count) + std::string(6, '\0');
    std::string body;
    for (const auto& [tag, bytes] : tables) {
        head += tag + u32(0) +
                u32(place + 12 + 16 * count + static_cast<std::int64_t>(body.size())) +
                u32(static_cast<std::int64_t>(bytes.size()));
        body += bytes;
    }
    return head + body;
}

/// Returns a font of TrueType.
inline std::string small_font(const std::string& glyph, int character = 0x4f4d,
                              const std::string& family = "", std::int64_t place = 0) {
    const std::string padded = glyph + std::string(glyph.size() % 2, '\0');
    Tables tables = common_tables(character, family);
    tables.emplace_back("glyf", padded);
    tables.emplace_back("loca", u32(0) + u32(0) + u32(static_cast<std::int64_t>(padded.size())));
    return assembled(u32(0x10000), tables, place);
}

/// Returns an operand of CFF.
inline std::string operand(int number) { return '\x1c' + u16(number); }

/// Returns an INDEX of CFF.
inline std::string cff_index(const std::vector<std::string>& objects) {
    std::string index = u16(static_cast<std::int64_t>(objects.size()));
    if (objects.empty()) return index;
    std::string data;
    index += '\x02' + u16(1);
    for (const std::string& object : objects) {
        data += object;
        index += u16(static_cast<std::int64_t>(data.size()) + 1);
    }
    return index + data;
}

/// What a table of CFF is made of.
struct CffParts {
    std::string program{};  ///< the charstring of glyph 1
    std::vector<std::string> subroutines{};
    std::vector<std::string> global_subroutines{};
    std::string selection{};  ///< FDSelect; "" for a font that is not made of several
};

/// Returns the program of the square from 0 to 1000.
inline std::string square_program() {
    return operand(0) + operand(0) + '\x15' + operand(1000) + '\x06' + operand(1000) + '\x07' +
           operand(-1000) + '\x06' + '\x0e';
}

inline std::string cff_table(const CffParts& parts) {
    const auto long_operand = [](std::size_t number) {
        return '\x1d' + u32(static_cast<std::int64_t>(number));
    };
    const std::string header("\x01\x00\x04\x02", 4),
        names = cff_index({"A"}), texts = cff_index({}),
        global = cff_index(parts.global_subroutines), programs = cff_index({"\x0e", parts.program}),
        subroutines = cff_index(parts.subroutines);
    const std::string private_dict = operand(3 + 1) + '\x13';
    const bool is_several = !parts.selection.empty();
    std::size_t at_programs = 0, at_private = 0, at_fonts = 0, at_selection = 0;
    const auto private_entry = [&] {
        return long_operand(private_dict.size()) + long_operand(at_private) + '\x12';
    };
    const auto top = [&] {
        std::string entries = long_operand(at_programs) + '\x11';
        if (!is_several) return cff_index({entries + private_entry()});
        return cff_index({entries + long_operand(at_fonts) + "\x0c\x24" +
                          long_operand(at_selection) + "\x0c\x25"});
    };
    const auto fonts = [&] { return cff_index({private_entry()}); };
    at_programs = header.size() + names.size() + top().size() + texts.size() + global.size();
    at_private = at_programs + programs.size();
    at_fonts = at_private + private_dict.size() + subroutines.size();
    at_selection = at_fonts + fonts().size();
    return header + names + top() + texts + global + programs + private_dict + subroutines +
           (is_several ? fonts() + parts.selection : "");
}

/// Returns a font with the outlines of CFF.
inline std::string small_cff_font(const CffParts& parts, int character = 0x4f4d,
                                  const std::string& family = "", std::int64_t place = 0) {
    Tables tables = common_tables(character, family);
    tables.emplace_back("CFF ", cff_table(parts));
    return assembled("OTTO", tables, place);
}

/// Returns a collection of two fonts, the first for `first`, the second for `second`.
inline std::string small_collection(int first, int second) {
    constexpr std::int64_t head = 20;
    const std::string one = small_font(square(), first, "Small One", head);
    const std::int64_t place = head + static_cast<std::int64_t>(one.size());
    return "ttcf" + u32(0x10000) + u32(2) + u32(head) + u32(place) + one +
           small_cff_font({.program = square_program()}, second, "Small Two", place);
}

}  // namespace pegen::testing
