#pragma once

#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace pegen {

/// The number of an open file, which is closed with the object; negative if there is no file.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (is_open()) ::close(number_);
    }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

    /// Returns the number and leaves it to the caller to close the file.
    int release() { return std::exchange(number_, -1); }

  private:
    int number_;
};

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
