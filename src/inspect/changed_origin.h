#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// Compares two origins, JSON objects that figures, JSON files and archives carry, and names what
/// the second one has otherwise: "d: 64 -> 128; title: none -> 'MAE'". Returns "" if they are the
/// same. `before` is not trusted, and is that of the file `path`.
/// Throws: FormatError if it is no JSON object.
std::string changed_origin(std::string_view path, std::string_view before, std::string_view now);

}  // namespace pegen
