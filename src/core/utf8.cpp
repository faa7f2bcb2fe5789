#include "core/utf8.h"

#include <fmt/format.h>

#include <array>
#include <bit>

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

}  // namespace pegen
