#include "files/target.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/error.h"

namespace pegen {
namespace {

namespace fs = std::filesystem;

bool is_standard_output(std::string_view path) { return path == "-" || path == "/dev/stdout"; }

/// The kernel follows no more links than this.
constexpr int most_links = 40;

/// Returns the path with symbolic links resolved; unlike realpath, also if nothing exists there
/// yet.
/// Throws: FileError if the links form a circle or cannot be read.
std::string follow_links(std::string_view path) {
    fs::path place(path);
    for (int links = 0; links < most_links; ++links) {
        std::error_code error;
        const fs::path next = fs::read_symlink(place, error);
        const bool is_no_link = error == std::errc::invalid_argument;
        if (is_no_link || error == std::errc::no_such_file_or_directory) return place.string();
        if (error) throw FileError(path, "cannot create", error.value());
        place = place.parent_path() / next;
    }
    throw FileError(path, "cannot create", ELOOP);
}

/// Returns the same text for all names of a file that does not exist yet.
std::string normalised(std::string_view path) {
    const std::string place = follow_links(path);
    std::error_code error;
    const fs::path absolute = fs::absolute(place, error);
    if (error) return place;
    const fs::path whole = fs::weakly_canonical(absolute, error);
    return error ? place : whole.string();
}

}  // namespace

std::string folder_of(std::string_view path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

Target find_target(std::string_view path) {
    Target target;
    target.is_standard_output = is_standard_output(path);
    if (target.is_standard_output) return target;

    const std::string name(path);
    struct stat status {};
    const bool exists = ::stat(name.c_str(), &status) == 0;
    if (!exists && (errno != ENOENT || name.empty() || name.back() == '/')) {
        throw FileError(path, "cannot create", errno);
    }
    if (exists && S_ISDIR(status.st_mode)) throw FileError(path, "cannot create", EISDIR);
    target.is_special = exists && !S_ISREG(status.st_mode);
    if (target.is_special) return target;

    if (exists) {
        // rename would replace even a write-protected file.
        if (::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) < 0) {
            throw FileError(path, "cannot replace", errno);
        }
        target.old = FileState{status.st_uid, status.st_gid, status.st_mode & 0777};
    }
    target.path = follow_links(path);
    return target;
}

bool same_file(std::string_view a, std::string_view b) {
    if (is_standard_output(a) || is_standard_output(b)) {
        return is_standard_output(a) && is_standard_output(b);
    }
    struct stat status_a {};
    struct stat status_b {};
    const bool exists_a = ::stat(std::string(a).c_str(), &status_a) == 0;
    const bool exists_b = ::stat(std::string(b).c_str(), &status_b) == 0;
    if (exists_a && exists_b) {
        return status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
    }
    return exists_a == exists_b && normalised(a) == normalised(b);
}

}  // namespace pegen
