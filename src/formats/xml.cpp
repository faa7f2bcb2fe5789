#include "formats/xml.h"

#include "core/utf8.h"

namespace pegen {
namespace {

bool is_in_xml(char32_t code) {
    const bool is_white = code == '\t' || code == '\n' || code == '\r';
    return is_white || (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

std::string_view escaped(const Character& character) {
    switch (character.code) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&apos;";
        case '\r':
            return "&#13;";  // readers turn a bare CR into a line feed
        default:
            return is_in_xml(character.code) ? character.bytes : "";
    }
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string result;
    for (const Character& character : decode_utf8(text)) result += escaped(character);
    return result;
}

}  // namespace pegen
