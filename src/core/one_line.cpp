#include "core/one_line.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/utf8.h"

namespace pegen {
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

}  // namespace pegen
