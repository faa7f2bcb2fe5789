#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// Returns the bytes in base 64 (RFC 4648, section 4), padded, in one line.
std::string base64(std::string_view bytes);

}  // namespace pegen
