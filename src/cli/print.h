#pragma once

#include <string_view>

namespace pegen::cli {

/// Writes to standard output. Throws: FileError, as any other output.
void print(std::string_view text);

}  // namespace pegen::cli
