#pragma once

#include <string>

#include "files/descriptor.h"

namespace pegen {

/// While it lives, open_file() opens only what is in or below the folder that was the current one
/// when it was made. For programs that do what a file from a stranger says. One lives at a time,
/// and no other thread opens files when it begins or ends.
class BeneathCurrentFolder {
  public:
    /// Throws: FileError if the current folder cannot be opened.
    BeneathCurrentFolder();
    BeneathCurrentFolder(const BeneathCurrentFolder&) = delete;
    BeneathCurrentFolder& operator=(const BeneathCurrentFolder&) = delete;
    ~BeneathCurrentFolder();

  private:
    Descriptor folder_;
};

/// From now on open_file() opens nothing: for programs that do what a page in a browser says.
void open_no_files();

/// True while a BeneathCurrentFolder lives.
bool stays_beneath();

/// True if open_file() opens any file. Else whoever asks is a stranger, and is not told either
/// which files there are.
bool opens_any_file();

/// Opens a file or a folder that exists, as open(2) does; O_CLOEXEC is added. Returns a Descriptor
/// that is not open, and errno, if that fails. While a BeneathCurrentFolder lives, a path that is
/// absolute or leads upwards fails with EXDEV, and one that meets a symbolic link with ELOOP or
/// ENOTDIR, also if the link has only just been put there. After open_no_files(), every path fails
/// with EACCES.
Descriptor open_file(const std::string& path, int flags);

/// Waits until the names in a folder are on disk. Best effort: some file systems cannot do that.
void sync_folder(int folder);

}  // namespace pegen
