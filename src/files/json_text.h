#pragma once

#include <string>
#include <string_view>

#include "core/json.h"

namespace pegen {

/// What a JSON text may have besides JSON: comments, // and /* */, or nothing.
enum class Comments { refused, ignored };

/// Parses `text`, the whole content of the file `path`, as one JSON value. The file is not trusted:
/// the keys of an object must be different and at most 1000, strings must be UTF-8 without zero
/// bytes, numbers must be finite and not too small for a double, and nothing may be nested deeper
/// than 32.
/// Throws: FormatError with the place.
Json parse_json(std::string_view text, std::string_view path,
                Comments comments = Comments::refused);

/// Returns the text as JSON, or null if it is empty.
Json text_or_null(std::string_view text);

// Bytes in texts that are not UTF-8 are replaced.

/// Returns the value as one line of ASCII.
std::string json_line(const Json& json);

/// Returns the value as one line of UTF-8.
std::string utf8_json_line(const Json& json);

/// Returns the value as lines of UTF-8, which begin with so many blanks for each level.
std::string indented_json(const Json& json, int blanks);

}  // namespace pegen
