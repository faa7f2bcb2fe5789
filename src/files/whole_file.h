#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pegen {

class InputFile;

/// Reads all bytes of an open file; a pipe is read to its end. Throws: FileError; FormatError if it
/// has more than `most_bytes`.
std::string whole_text(const InputFile& file, std::int64_t most_bytes);

/// Reads all bytes of a file, or of standard input if `path` is "-". Throws: as whole_text().
std::string read_whole(std::string_view path, std::int64_t most_bytes);

}  // namespace pegen
