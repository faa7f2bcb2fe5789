#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace pegen {

/// The properties that a new file takes over from the file it replaces.
struct FileState {
    uid_t user;
    gid_t group;
    mode_t mode;  ///< permissions only
};

/// The file that a path given for an output leads to.
struct Target {
    int descriptor = -1;           ///< a file that this process was given open (/dev/fd/3), or -1
    bool is_special = false;       ///< a device, a FIFO or a file that another process has open
    std::string path;              ///< with symbolic links resolved, even dangling ones
    std::optional<FileState> old;  ///< the properties of the existing file, if any

    /// True if bytes are written to the target itself, and not to a file that takes its place
    /// later.
    bool is_written_directly() const { return descriptor >= 0 || is_special; }
};

/// Looks at the file that `path` names: "-" and "/dev/stdout" are standard output.
/// Throws: FileError if it cannot be written to, as far as that shows without trying.
Target find_target(std::string_view path);

/// True if both paths name the same file, which is not a device, or both are standard output.
bool same_file(std::string_view a, std::string_view b);

/// Returns the folder of a path: "out" for "out/a.npy", "." for "a.npy", "/" for "/a.npy".
std::string folder_of(std::string_view path);

}  // namespace pegen
