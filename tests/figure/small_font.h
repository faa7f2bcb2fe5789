#pragma once

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

/// Returns a font with 1000 units in an em, which is the advance of each character. Its only
/// character is `character`, glyph 1.
inline std::string small_font(const std::string& glyph, int character = 0x4f4d) {
    const std::string padded = glyph + std::string(glyph.size() % 2, '\0');
    const std::vector<std::pair<std::string, std::string>> tables{
        {"cmap", u16(0) + u16(1) + u16(3) + u16(10) + u32(12) + u16(12) + u16(0) + u32(28) +
                     u32(0) + u32(1) + u32(character) + u32(character) + u32(1)},
        {"glyf", padded},
        {"head", std::string(18, '\0') + u16(1000) + std::string(30, '\0') + u16(1) + u16(0)},
        {"hhea", std::string(34, '\0') + u16(1)},
        {"hmtx", u16(1000) + u16(0) + u16(0)},
        {"loca", u32(0) + u32(0) + u32(static_cast<std::int64_t>(padded.size()))},
        {"maxp", u32(0x10000) + u16(2)},
    };
    const auto count = static_cast<std::int64_t>(tables.size());
    std::string head = u32(0x10000) + u16(count) + std::string(6, '\0');
    std::string body;
    for (const auto& [tag, bytes] : tables) {
        head += tag + u32(0) + u32(12 + 16 * count + static_cast<std::int64_t>(body.size())) +
                u32(static_cast<std::int64_t>(bytes.size()));
        body += bytes;
    }
    return head + body;
}

}  // namespace pegen::testing
