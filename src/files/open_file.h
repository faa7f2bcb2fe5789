#pragma once

#include <string>

#include "files/descriptor.h"

namespace pegen {

/// A scope in which open_file() opens only files in or below the folder that was the current one
/// when the object was made. For programs that follow the instructions in a file from a stranger.
/// One lives at a time, and no other thread opens files when it begins or ends.
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

/// Makes open_file() open nothing from now on: for programs that follow the instructions of a page
/// in a browser.
void open_no_files();

/// True while a BeneathCurrentFolder lives.
bool stays_beneath();

/// True if open_file() opens any file. Otherwise the instructions come from a stranger, who is not
/// told either which files exist.
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
