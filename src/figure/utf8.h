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

}  // namespace pegen
