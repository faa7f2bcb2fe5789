#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace pegen {

/// What a new file takes over from the one it replaces.
struct FileState {
    uid_t user;
    gid_t group;
    mode_t mode;  ///< permissions only
};

/// What a path given for an output stands for.
struct Target {
    bool is_standard_output = false;
    bool is_special = false;       ///< a device or a FIFO: written directly
    std::string path;              ///< with symbolic links resolved, even dangling ones
    std::optional<FileState> old;  ///< of the existing file, if any
};

/// Looks at the file that `path` names.
/// Throws: FileError if it cannot be written to, as far as that shows without trying.
Target find_target(std::string_view path);

/// True if both paths name the same file, or both are standard output.
bool same_file(std::string_view a, std::string_view b);

/// Returns the folder of a path: "out" for "out/a.npy", "." for "a.npy", "/" for "/a.npy".
std::string folder_of(std::string_view path);

}  // namespace pegen
