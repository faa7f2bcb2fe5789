#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pegen {

/// Reads all bytes of a file, or of standard input if `path` is "-"; a pipe is read to its end.
/// Throws: FileError if it cannot be read; FormatError if it has more than `most_bytes`.
std::string read_whole(std::string_view path, std::int64_t most_bytes);

}  // namespace pegen
