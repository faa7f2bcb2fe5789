#pragma once

#include <map>
#include <string>

#include "files/descriptor.h"

namespace pegen {

/// The folders in which files have taken their places, and which must be written to the disk
/// themselves.
class ChangedFolders {
  public:
    /// Remembers an open folder, which `path` identifies. Throws: FileError.
    void add(const std::string& path, const Descriptor& folder);

    /// Waits until all remembered folders are on the disk, as far as the file system can tell.
    void sync() const noexcept;

  private:
    std::map<std::string, Descriptor> folders_;
};

}  // namespace pegen
