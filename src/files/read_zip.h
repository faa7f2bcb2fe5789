#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "files/input_file.h"

namespace pegen {

/// Whether the checksum of a stored member is compared before its bytes are used.
enum class Checksum { compared, ignored };

/// A file in a ZIP archive.
struct ZipMember {
    std::string name;  ///< any bytes
    /// Opens the member: in the place where it is stored, perhaps after its checksum has been
    /// compared, or inflated as far as it is read. `path` is for messages.
    /// Throws: FormatError if the member is encrypted, compressed by another method, or not as the
    /// directory says; FileError. Reading an inflated member throws FormatError, also for a wrong
    /// checksum.
    std::function<std::shared_ptr<const InputFile>(const std::string& path, Checksum checksum)>
        open;
};

/// Reads the directory of a ZIP archive, PKWARE's APPNOTE 6.3, with zip64. The file is not trusted:
/// members must lie in the file and apart from each other, there are at most 2^20, and their
/// directory has at most 2^28 bytes.
/// Throws: FormatError; FileError.
std::vector<ZipMember> read_zip(const std::shared_ptr<const InputFile>& file);

}  // namespace pegen
