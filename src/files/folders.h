#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/signals.h"
#include "files/open_file.h"

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

/// Folders that are made for files, in or below the folder that was the current one at first.
/// Folders in which nothing has been put are removed with the object, and before a signal ends the
/// program; after SIGKILL they stay.
class MadeFolders {
  public:
    /// Throws: FileError if the current folder cannot be opened.
    MadeFolders();
    MadeFolders(const MadeFolders&) = delete;
    MadeFolders& operator=(const MadeFolders&) = delete;
    ~MadeFolders() { remove_empty(this); }

    /// Makes the folders of the file `path` that do not exist. Any number of threads may call it.
    /// Precondition: the path is relative and without "..".
    /// Throws: FileError, also if the path meets a symbolic link.
    void make_for(const std::string& path);

    /// True if the folder of the file `path` existed when it was first asked for. Any number of
    /// threads may call it.
    bool has_folder_of(const std::string& path);

  private:
    static void remove_empty(const void* folders);

    Descriptor top_;
    std::mutex making_;                      ///< guards the members below
    std::set<std::filesystem::path> known_;  ///< folders that exist
    std::vector<std::string> made_;          ///< outer folders before the folders in them
    BeforeSignal removal_;
};

}  // namespace pegen
