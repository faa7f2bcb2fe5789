#pragma once

#include <string_view>

#include "core/parameters.h"
#include "core/table.h"

namespace pegen {

/// True if the value of --font is the name of a file rather than of an installed font: there is
/// such a file, or it has a slash or ends like the name of a font's file.
bool names_font_file(std::string_view given);

/// Returns the options of the figure with the name of an installed font as --font, if no font is
/// given and the built-in one lacks a character of the texts. Which font it is depends on the
/// machine. Throws: UsageError if no installed font has the characters, or fontconfig is not there.
Parameters with_found_font(Parameters figure, const Table& table);

}  // namespace pegen
