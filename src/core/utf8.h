#pragma once

#include <string_view>
#include <vector>

namespace pegen {

struct Character {
    char32_t code;
    std::string_view bytes;  ///< the bytes of the character
};

/// Returns the characters of a UTF-8 text. Throws: UsageError, with the byte, if the text is not
/// valid UTF-8; overlong forms, surrogates and numbers beyond U+10FFFF are not valid.
std::vector<Character> decode_utf8(std::string_view text);

/// True for control characters of ASCII and Latin-1, such as a line break, a tab or an escape.
constexpr bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/// True for characters that a terminal obeys rather than shows: control characters, line
/// separators, and characters that turn the direction of the text around them (marks, embeddings,
/// overrides and isolates).
constexpr bool is_obeyed(char32_t code) {
    return is_control(code) || code == 0x061c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace pegen
