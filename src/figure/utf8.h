#pragma once

#include <string_view>
#include <vector>

namespace pegen {

/// The characters of a UTF-8 text. Throws: UsageError, with the byte, if it is not valid UTF-8
/// (overlong forms, surrogates and numbers beyond U+10FFFF are not).
std::vector<char32_t> decode_utf8(std::string_view text);

}  // namespace pegen
