#pragma once

#include <string>
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

/// Returns `text` as one line that a terminal shows and does not obey, whoever wrote it: control
/// characters, such as line breaks, and characters that turn the direction of text are written as
/// "\x0a". In a text that is not UTF-8, every byte beyond ASCII is written so.
std::string one_line(std::string_view text);

/// A character with its combining marks, as a terminal shows it.
struct DisplayedCharacter {
    std::string_view bytes;  ///< the bytes of the character and its marks
    int columns;             ///< the width: 1 or 2

    bool operator==(const DisplayedCharacter&) const = default;
};

/// Returns the characters of a UTF-8 text. Characters that are wide or fullwidth in the East Asian
/// Width of Unicode 15, such as emoji, have two columns; all other characters, including characters
/// of ambiguous width, have one. Combining marks, joiners, variation selectors and the like belong
/// to the character before them; at the beginning of the text they are left out. The marks of
/// Latin, Greek, Cyrillic, Hebrew, Arabic, Thai, Lao, Hangul, kana and symbols are known; marks of
/// other scripts count as characters, so that such a text gets more columns than it needs, never
/// fewer.
/// Throws: UsageError if the text is not valid UTF-8 or has a control character, which a terminal
/// would obey.
///
/// utf8proc 2.8, which Debian 12 has, knows the same Unicode 15 but was declined: it gives spacing
/// marks (U+0903) no column and the vowels of Hangul in parts (U+1161) one, where terminals that
/// ask glibc's wcwidth() do the opposite, so that tables of exceptions would remain.
std::vector<DisplayedCharacter> displayed_characters(std::string_view text);

/// Returns the number of columns of all characters.
int display_width(std::string_view text);

}  // namespace pegen
