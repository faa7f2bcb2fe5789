#include "formats/shell_word.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"

namespace pegen {
namespace {

bool is_plain(std::string_view text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,.:/@%";
    return !text.empty() && text.find_first_not_of(plain) == std::string_view::npos;
}

bool is_printable(std::string_view text) {
    try {
        return std::ranges::none_of(decode_utf8(text), is_obeyed, &Character::code);
    } catch (const UsageError&) {
        return false;
    }
}

std::string in_quotes(std::string_view text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

std::string with_escapes(std::string_view text) {
    std::string result = "$'";
    for (const char c : text) {
        const bool is_itself = c >= ' ' && c <= '~' && c != '\'' && c != '\\';
        result +=
            is_itself ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
    return result + "'";
}

}  // namespace

std::string shell_word(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    return is_printable(text) ? in_quotes(text) : with_escapes(text);
}

}  // namespace pegen
