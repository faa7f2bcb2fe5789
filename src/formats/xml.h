#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// Escapes the text for use between tags or within quotes of an XML file in UTF-8. Characters that
/// XML cannot hold (most control characters, U+FFFE, U+FFFF) are left out.
/// Throws: UsageError if it is not valid UTF-8.
std::string xml_text(std::string_view text);

}  // namespace pegen
