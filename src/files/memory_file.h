#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "files/descriptor.h"

namespace pegen {

/// Returns a file without a name that is only in memory, with this content; on systems without such
/// files it is in the folder for temporary files.
/// Throws: FileError if the system has no room for it.
Descriptor file_in_memory(std::string_view bytes);

/// A file as file_in_memory() makes it, for functions that take the name of a file. It is gone with
/// the object or the process.
class MemoryFile {
  public:
    /// Throws: FileError if the system has no room for it.
    explicit MemoryFile(std::string_view bytes);

    const std::string& path() const { return path_; }

  private:
    std::shared_ptr<const void> owner_;  ///< what keeps the file in existence
    std::string path_;
};

}  // namespace pegen
