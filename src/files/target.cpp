#include "files/target.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "core/error.h"
#include "files/open_file.h"
#include "files/system.h"

namespace pegen {
namespace {

namespace fs = std::filesystem;

/// The end of a chain of symbolic links: a path, or a link of /proc to a file that a process has
/// open, whose text is not always a path.
struct Place {
    fs::path path;
    std::optional<struct stat> state{};  ///< nothing if it does not exist
    bool is_open_file = false;
    int descriptor = -1;  ///< the number of an open file of this process, else -1
    int failure = 0;      ///< errno, if the links cannot be followed
};

/// Returns the folder /proc/PID/fd that the link is in, or "" if the link is in another folder.
fs::path folder_of_open_files(const fs::path& link) {
    std::error_code error;
    const fs::path folder = fs::canonical(link.parent_path(), error);
    return has_open_files(folder) ? folder : fs::path();
}

/// Returns the descriptor that a link in /proc/PID/fd leads to, or -1 if the process is another.
int descriptor_of(const fs::path& link, const fs::path& folder) {
    std::error_code error;
    const std::string own = fs::canonical("/proc/self", error).string() + "/";
    if (!folder.string().starts_with(own)) return -1;
    const std::string name = link.filename().string();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    return number;
}

/// The largest number of links that the kernel follows.
constexpr int most_links = 40;

/// Returns the place of an open file.
Place place_of(const fs::path& link, int descriptor) {
    Place place{.path = link, .is_open_file = true, .descriptor = descriptor};
    struct stat state {};
    const int failure =
        descriptor >= 0 ? ::fstat(descriptor, &state) : ::stat(link.c_str(), &state);
    if (failure == 0) place.state = state;
    return place;
}

/// Follows symbolic links, unlike realpath also to a path where nothing exists yet.
Place follow_links(std::string_view path) {
    if (path == "-" || path == "/dev/stdout") return place_of(path, STDOUT_FILENO);
    fs::path place(path);
    for (int links = 0; links < most_links; ++links) {
        struct stat state {};
        if (::lstat(place.c_str(), &state) != 0) {
            return {.path = place, .failure = errno == ENOENT ? 0 : errno};
        }
        if (!S_ISLNK(state.st_mode)) return {.path = place, .state = state};
        if (stays_beneath()) break;
        const fs::path folder = folder_of_open_files(place);
        if (!folder.empty()) return place_of(place, descriptor_of(place, folder));
        std::error_code error;
        const fs::path next = fs::read_symlink(place, error);
        if (error) return {.path = place, .failure = error.value()};
        place = place.parent_path() / next;
    }
    return {.path = place, .failure = ELOOP};
}

/// Returns the same text for all names of a file that does not exist yet.
std::string normalised(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    if (error) return path.string();
    const fs::path canonical = fs::weakly_canonical(whole, error);
    return error ? path.string() : canonical.string();
}

}  // namespace

std::string folder_of(std::string_view path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

Target find_target(std::string_view path) {
    const Place place = follow_links(path);
    if (place.failure != 0) throw FileError(path, "cannot create", place.failure);
    Target target;
    target.descriptor = place.descriptor;
    target.path = place.path.string();
    if (place.descriptor >= 0) return target;

    const auto& state = place.state;
    if (!state && (path.empty() || path.back() == '/')) {
        throw FileError(path, "cannot create", ENOENT);
    }
    if (state && S_ISDIR(state->st_mode)) throw FileError(path, "cannot create", EISDIR);
    target.is_special = place.is_open_file || (state && !S_ISREG(state->st_mode));
    if (target.is_special && stays_beneath()) {
        throw FileError(path, "cannot replace: not a regular file");
    }
    if (target.is_special || !state) return target;
    // rename would replace even a write-protected file.
    if (::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) < 0) {
        throw FileError(path, "cannot replace", errno);
    }
    target.old = FileState{state->st_uid, state->st_gid, state->st_mode & 0777};
    return target;
}

bool same_file(std::string_view a, std::string_view b) {
    const Place place_a = follow_links(a), place_b = follow_links(b);
    if (place_a.descriptor >= 0 && place_a.descriptor == place_b.descriptor) return true;
    const auto &a_state = place_a.state, &b_state = place_b.state;
    if (a_state && b_state) {
        return a_state->st_dev == b_state->st_dev && a_state->st_ino == b_state->st_ino &&
               !S_ISCHR(a_state->st_mode);
    }
    return !a_state && !b_state && normalised(place_a.path) == normalised(place_b.path);
}

}  // namespace pegen
