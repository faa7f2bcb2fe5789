#pragma once

#include <string_view>
#include <vector>

namespace pegen::encodings {

/// The parts of `text` between separators: as many as there are separators, and one more.
std::vector<std::string_view> fields(std::string_view text, char separator);

}  // namespace pegen::encodings
