#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// Compares two origins, JSON objects that figures, JSON files and archives carry, and names the
/// changes from the first to the second: "d: 64 -> 128; title: none -> 'MAE'". Returns "" if they
/// are the same. `before` is the origin in the file `path` and is not trusted.
/// Throws: FormatError if it is not a JSON object.
std::string changed_origin(std::string_view path, std::string_view before, std::string_view now);

}  // namespace pegen
