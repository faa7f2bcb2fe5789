#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pegen {

/// All bytes of a file, of standard input for "-"; a pipe is read to its end.
/// Throws: FileError if it cannot be read; FormatError if it has more than `most_bytes`.
std::string read_whole(std::string_view path, std::int64_t most_bytes);

}  // namespace pegen
