#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "figure/layout.h"

namespace pegen {

/// Returns the length of a text.
using LengthOf = std::function<double(std::string_view)>;

/// Returns the text in lines no longer than `limit`: as few lines as possible, and of lengths as
/// even as possible. Lines are broken at spaces, and beside characters of two columns, such as
/// Chinese ones. A word that is longer than the limit is a line of its own.
std::vector<std::string> wrapped(const std::string& text, double limit, const LengthOf& length_of);

/// Returns the text or, if it needs more than `columns` of a terminal, as much of its beginning as
/// fits with "..." behind it; "" if there is no room for more than the dots.
std::string shortened(const std::string& text, int columns);

/// Returns the ways to write a text of this role that the program chose, from the longest, which is
/// the text itself, to the shortest. A title loses all parameters but the first, then this one,
/// then the words on a mask; what names a row or a head stays. Some labels have one shorter word,
/// and the label of a colour bar that says only that there are values is empty.
std::vector<std::string> ways_to_write(TextRole role, const std::string& text);

}  // namespace pegen
