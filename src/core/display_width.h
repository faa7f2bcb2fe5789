#pragma once

#include <string_view>
#include <vector>

namespace pegen {

/// A character with the marks upon it, as a terminal shows it.
struct DisplayedCharacter {
    std::string_view bytes;  ///< of the text it is from
    int columns;             ///< 1 or 2

    bool operator==(const DisplayedCharacter&) const = default;
};

/// The characters of a UTF-8 text. Those that are wide or fullwidth in Unicode 15's East Asian
/// Width (emoji are) have two columns, all others one, those of ambiguous width too. Combining
/// marks, joiners, variation selectors and the like go with the character before them; at the
/// beginning of the text they are left out. Marks are known of Latin, Greek, Cyrillic, Hebrew,
/// Arabic, Thai, Lao, Hangul, kana and symbols; those of other scripts count as characters: more
/// columns than such a text needs, never fewer.
/// Throws: UsageError if the text is not valid UTF-8 or has a control character: a terminal would
/// obey it.
std::vector<DisplayedCharacter> displayed_characters(std::string_view text);

/// The columns of all of them.
int display_width(std::string_view text);

}  // namespace pegen
