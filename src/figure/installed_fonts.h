#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pegen {

// The fonts of this machine, as fontconfig knows them. Its library is loaded when a font is first
// looked for, and never by a program that is linked statically, which cannot.

/// A font in a file, TrueType or OpenType.
struct InstalledFont {
    std::string file;
    std::int64_t number;  ///< of the font in a collection, counted from 0
    std::string name;     ///< by which find_font() finds it
};

/// Finds the most regular font of the family of this name, or the font whose full name or
/// PostScript name it is. Capitals, spaces and hyphens make no difference.
/// Throws: UsageError if there is none, with the nearest names, or no fontconfig.
InstalledFont find_font(std::string_view name);

/// Finds the font that fontconfig prefers for sans-serif text among those that have all of these
/// characters: for the language of the user or, where the characters are of another one, such as
/// kana, for theirs.
/// Throws: UsageError if there is none, or no fontconfig.
InstalledFont find_font_with(const std::u32string& characters);

}  // namespace pegen
