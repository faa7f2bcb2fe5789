#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "files/open_file.h"

namespace pegen {

// What Linux does for files, and glibc for memory and libraries, beyond POSIX, in files/linux.
// Other systems get files/plain, which does without: every caller goes on with what POSIX has.

/// Flags for open(2) of a folder that is only a place for openat(2) and the like. On Linux its
/// names need not be readable; POSIX says O_SEARCH, which not every system has.
extern const int as_place;

/// Creates a file without a name in an open folder, to be written and read. Returns a Descriptor
/// that is not open if the file system has no such files or could not name them later.
Descriptor create_unnamed(const Descriptor& folder);

/// Gives the name `name` in `folder` to a file of create_unnamed(). Returns 0, or the errno of what
/// failed: EEXIST if the name is taken.
int name_unnamed(const Descriptor& file, const Descriptor& folder, const char* name);

/// True if names can be added to the folder, but not changed or removed (chattr +a).
bool is_append_only(const Descriptor& folder);

/// True if the file system of an open file is in memory alone, so that nothing in it is ever on a
/// disk (tmpfs).
bool is_in_memory(const Descriptor& file);

/// Lays out `bytes` for a new file. Returns 0, ENOSPC or EDQUOT. Any other failure is ignored: the
/// file can be written without this.
int allocate(const Descriptor& file, std::int64_t bytes);

/// Makes the disk write a part of a file, or all of it if `bytes` is 0, while the program goes on.
void start_writing_back(const Descriptor& file, std::int64_t offset, std::int64_t bytes);

/// Waits until the bytes of the file and its length are on the disk. Returns 0, or -1 with errno.
int sync_data(const Descriptor& file);

/// Renames a file in its folder if no file has the new name. Returns 0, or errno: EEXIST if one
/// has; EINVAL or ENOSYS if the system cannot do this in one step.
int rename_to_free(const Descriptor& folder, const char* name, const char* free);

/// Exchanges the files of two names in one step. Returns 0, or errno: EINVAL or ENOSYS if the
/// system cannot.
int exchange_names(const Descriptor& folder, const char* name, const char* other);

/// An empty file for as long as the object lives, and a path that leads to it.
struct FileInMemory {
    Descriptor file;
    std::string path;
    std::shared_ptr<const void> name;  ///< removed with the object, where the file needs one
};

/// Creates a file that is only in memory, or else in the folder for temporary files. The file is
/// not open if that fails; errno says why.
FileInMemory create_in_memory();

/// Makes the process keep freed memory up to the size of some pictures: returning it to the system
/// and taking it again for each picture would take longer than drawing most of them. Larger blocks
/// are returned.
void keep_memory();

/// Makes all threads share the memory that is kept; each would keep its own otherwise.
void share_kept_memory();

/// True if the program can load libraries. A program that is linked statically cannot: a library
/// would bring a second C library along, of another version.
bool loads_libraries();

/// True if the folder, whose links are resolved, is /proc/PID/fd: its names are links to the files
/// that a process has open.
bool has_open_files(const std::filesystem::path& folder);

}  // namespace pegen
