#pragma once

#include <string>

namespace pegen {

/// Returns a number of bytes as a text for people: "128 B", "76.5 MB", "614 GB".
std::string bytes_text(double bytes);

}  // namespace pegen
