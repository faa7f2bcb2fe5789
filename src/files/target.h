#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace pegen {

/// What a file that replaces another takes over from it.
struct FileState {
    uid_t user;
    gid_t group;
    mode_t mode;  ///< permissions only
};

/// What a path given for an output stands for.
struct Target {
    bool is_standard_output = false;
    bool is_special = false;       ///< a device or a FIFO: written straight
    std::string path;              ///< behind symbolic links, even where they dangle
    std::optional<FileState> old;  ///< of the file that is there
};

/// Throws: FileError if the path cannot be written to, as far as looking at it tells.
Target find_target(std::string_view path);

/// "out" of "out/a.npy", "." of "a.npy", "/" of "/a.npy".
std::string folder_of(std::string_view path);

}  // namespace pegen
