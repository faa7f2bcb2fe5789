#pragma once

#include <map>
#include <string>

#include "files/descriptor.h"

namespace pegen {

/// The folders of files that have taken their places, which are to be on the disk themselves.
class ChangedFolders {
  public:
    /// Remembers an open folder. `path` tells it from others. Throws: FileError.
    void add(const std::string& path, const Descriptor& folder);

    /// Waits until all of them are on the disk, as far as the file system can tell; forgets them.
    void sync() noexcept;

  private:
    std::map<std::string, Descriptor> folders_;
};

}  // namespace pegen
