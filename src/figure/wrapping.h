#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace pegen
