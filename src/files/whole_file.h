#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pegen {

class InputFile;

/// Returns the first bytes of an open file: `most_bytes`, or all if it has fewer. Throws:
/// FileError.
std::string start_of(const InputFile& file, std::int64_t most_bytes);

/// Reads all bytes of an open file; a pipe is read to its end. Throws: FileError; FormatError if it
/// has more than `most_bytes`.
std::string whole_text(const InputFile& file, std::int64_t most_bytes);

/// Returns a text of UTF-8 without the byte order mark that editors of Windows put before it.
std::string_view without_mark(std::string_view text);

/// Reads all bytes of a file, or of standard input if `path` is "-". Throws: as whole_text().
std::string read_whole(std::string_view path, std::int64_t most_bytes);

}  // namespace pegen
