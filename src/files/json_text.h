#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace pegen {

/// Parses `text`, the whole content of the file `path`, as one JSON value. The file is not trusted:
/// the keys of an object must be different and at most 1000, strings must be UTF-8 without zero
/// bytes, numbers must be finite and not too small for a double, and nothing may be nested deeper
/// than 32.
/// Throws: FormatError with the place.
nlohmann::ordered_json parse_json(std::string_view text, std::string_view path);

/// Returns the text as JSON, or null if it is empty.
nlohmann::ordered_json text_or_null(std::string_view text);

/// Returns the value as one line of ASCII. Bytes in its strings that are not UTF-8 are replaced.
std::string json_line(const nlohmann::ordered_json& json);

}  // namespace pegen
