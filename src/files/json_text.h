#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace pegen {

/// The JSON value that is all of `text`, the content of the file `path`, which is not trusted: keys
/// must be different in each object and at most 1000, strings must be UTF-8 without zeros, numbers
/// finite, and nothing may be nested deeper than 32. Throws: FormatError with the place.
nlohmann::ordered_json parse_json(std::string_view text, std::string_view path);

}  // namespace pegen
