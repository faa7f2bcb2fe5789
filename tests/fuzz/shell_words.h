#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen::fuzz {

/// Appends the character of a three-digit octal escape at `text[at]`, behind its backslash.
inline char octal(std::string_view text, std::size_t at) {
    return static_cast<char>((text[at] - '0') * 64 + (text[at + 1] - '0') * 8 + text[at + 2] - '0');
}

/// Splits a command into words as a shell does, as far as shell_word() quotes: '...', $'...' with
/// octal escapes, and a backslash before a character.
inline std::vector<std::string> shell_words(std::string_view command) {
    std::vector<std::string> words(1);
    for (std::size_t at = 0; at < command.size(); ++at) {
        const bool has_escapes = command.substr(at).starts_with("$'");
        if (command[at] == ' ') {
            words.emplace_back();
        } else if (command[at] == '\\') {
            words.back() += command[++at];
        } else if (command[at] == '\'' || has_escapes) {
            for (at += has_escapes ? 2 : 1; command[at] != '\''; ++at) {
                const bool is_escape = has_escapes && command[at] == '\\';
                words.back() += is_escape ? octal(command, at + 1) : command[at];
                if (is_escape) at += 3;
            }
        } else {
            words.back() += command[at];
        }
    }
    return words;
}

}  // namespace pegen::fuzz
