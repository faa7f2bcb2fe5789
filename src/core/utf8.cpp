#include "core/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "core/error.h"

namespace pegen {
namespace {

/// Returns the number of bytes of a character that begins with `lead`; 0 if no character does.
std::size_t sequence_length(unsigned char lead) {
    const auto ones = static_cast<std::size_t>(std::countl_one(lead));
    if (ones == 0) return 1;
    return ones >= 2 && ones <= 4 ? ones : 0;
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::vector<Character> decode_utf8(std::string_view text) {
    // The smallest character that needs each number of bytes, 0 to 4.
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    std::vector<Character> characters;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = sequence_length(lead);
        bool is_valid = length > 0 && at + length <= text.size();
        char32_t character = length == 1 ? lead : lead & (0x7fu >> length);
        for (std::size_t i = 1; is_valid && i < length; ++i) {
            is_valid = is_continuation(text[at + i]);
            character = character << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3f);
        }
        const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
        if (!is_valid || character < smallest[length] || is_surrogate || character > 0x10ffff) {
            throw UsageError(fmt::format("byte {} (0x{:02x}) is not valid UTF-8", at + 1, lead));
        }
        characters.push_back({character, text.substr(at, length)});
        at += length;
    }
    return characters;
}

namespace {

std::string escaped(std::string_view bytes) {
    std::string result;
    for (const char byte : bytes) {
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    return result;
}

std::string only_shown(std::string_view text) {
    std::string result;
    for (const Character& character : decode_utf8(text)) {
        result +=
            is_obeyed(character.code) ? escaped(character.bytes) : std::string(character.bytes);
    }
    return result;
}

std::string only_ascii(std::string_view text) {
    std::string result;
    for (const char& byte : text) {
        const bool is_shown = byte >= 0x20 && byte < 0x7f;
        result += is_shown ? std::string(1, byte) : escaped({&byte, 1});
    }
    return result;
}

}  // namespace

std::string one_line(std::string_view text) {
    try {
        return only_shown(text);
    } catch (const UsageError&) {
        return only_ascii(text);
    }
}

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

/// Code points whose East_Asian_Width is W or F. Some code points in these ranges are not assigned.
constexpr Range wide[]{
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
    {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x3029},
    {0x302e, 0x303e},   {0x3041, 0x3096},   {0x309b, 0x3247},   {0x3250, 0x4dbf},
    {0x4e00, 0xa4c6},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe10, 0xfe19},   {0xfe30, 0xfe6b},   {0xff01, 0xff60},   {0xffe0, 0xffe6},
    {0x16fe0, 0x16fe3}, {0x16ff0, 0x1b2fb}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf},
    {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335},
    {0x1f337, 0x1f37c}, {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3},
    {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440},
    {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567},
    {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
    {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6df},
    {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f93a},
    {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faf8}, {0x20000, 0x3fffd},
};

/// Code points of the general categories Mn, Me and Cf in the scripts listed in the header, and the
/// vowels and final consonants of Hangul, which are drawn within the syllable.
constexpr Range without_width[]{
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
    {0x05c4, 0x05c5}, {0x05c7, 0x05c7}, {0x0610, 0x061a}, {0x061c, 0x061c}, {0x064b, 0x065f},
    {0x0670, 0x0670}, {0x06d6, 0x06dc}, {0x06df, 0x06e4}, {0x06e7, 0x06e8}, {0x06ea, 0x06ed},
    {0x0898, 0x089f}, {0x08ca, 0x08e1}, {0x08e3, 0x08ff}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e}, {0x0eb1, 0x0eb1}, {0x0eb4, 0x0ebc}, {0x0ec8, 0x0ece}, {0x1160, 0x11ff},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x206f},
    {0x20d0, 0x20f0}, {0x2de0, 0x2dff}, {0x302a, 0x302d}, {0x3099, 0x309a}, {0xfb1e, 0xfb1e},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0001, 0xe01ef},
};

bool is_in(std::span<const Range> ranges, char32_t code) {
    const auto range = std::ranges::lower_bound(ranges, code, {}, &Range::last);
    return range != ranges.end() && range->first <= code;
}

}  // namespace

std::vector<DisplayedCharacter> displayed_characters(std::string_view text) {
    std::vector<DisplayedCharacter> characters;
    for (const auto& [code, bytes] : decode_utf8(text)) {
        if (is_control(code)) {
            throw UsageError(
                fmt::format("contains the control character U+{:04X}, which cannot be shown",
                            static_cast<std::uint32_t>(code)));
        }
        if (!is_in(without_width, code)) {
            characters.push_back({bytes, is_in(wide, code) ? 2 : 1});
        } else if (!characters.empty()) {
            std::string_view& whole = characters.back().bytes;
            whole = {whole.data(), whole.size() + bytes.size()};
        }
    }
    return characters;
}

int display_width(std::string_view text) {
    int columns = 0;
    for (const DisplayedCharacter& character : displayed_characters(text)) {
        columns += character.columns;
    }
    return columns;
}

}  // namespace pegen
