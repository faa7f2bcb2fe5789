#pragma once

#include <string>
#include <vector>

#include "figure/layout.h"

namespace pegen {

/// Returns the ways to write a text of this role that the program chose, from the longest, which is
/// the text itself, to the shortest. A title loses all parameters but the first, then this one,
/// then the words on a mask; what names a row or a head stays. Some labels have one shorter word,
/// and the label of a colour bar that says only that there are values is empty.
std::vector<std::string> ways_to_write(TextRole role, const std::string& text);

}  // namespace pegen
