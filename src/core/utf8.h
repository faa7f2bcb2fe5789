#pragma once

#include <string_view>
#include <vector>

namespace pegen {

struct Character {
    char32_t code;
    std::string_view bytes;  ///< of the text it is from
};

/// The characters of a UTF-8 text. Throws: UsageError, with the byte, if it is not valid UTF-8
/// (overlong forms, surrogates and numbers beyond U+10FFFF are not).
std::vector<Character> decode_utf8(std::string_view text);

/// Of ASCII or Latin-1: a line break, a tab, an escape and the like.
constexpr bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

}  // namespace pegen
