#include "files/folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "files/open_file.h"
#include "files/system.h"
#include "files/target.h"

namespace pegen {

void ChangedFolders::add(const std::string& path, const Descriptor& folder) {
    if (folders_.contains(path)) return;
    Descriptor copy(::fcntl(folder.number(), F_DUPFD_CLOEXEC, 0));
    if (!copy.is_open()) throw FileError(path, "cannot open", errno);
    folders_.emplace(path, std::move(copy));
}

void ChangedFolders::sync() const noexcept {
    for (const auto& [path, folder] : folders_) sync_folder(folder.number());
}

namespace {

/// Opens a folder that is no symbolic link. Returns its descriptor, or -1. Async-signal-safe.
int open_place(int folder, const char* name) {
    return ::openat(folder, name, as_place | O_NOFOLLOW | O_CLOEXEC);
}

/// Removes the folder `path`, a path below `top` with single slashes between its names, if it is
/// empty; follows no symbolic link. Async-signal-safe.
void remove_if_empty(int top, const char* path) {
    int folder = open_place(top, ".");
    while (folder >= 0) {
        const char* const slash = std::strchr(path, '/');
        if (!slash) {
            ::unlinkat(folder, path, AT_REMOVEDIR);
            ::close(folder);
            return;
        }
        std::array<char, NAME_MAX + 1> name{};  // mkdirat() accepted the name, so it fits
        std::memcpy(name.data(), path, static_cast<std::size_t>(slash - path));
        const int next = open_place(folder, name.data());
        ::close(folder);
        folder = next;
        path = slash + 1;
    }
}

}  // namespace

MadeFolders::MadeFolders() : top_(open_place(AT_FDCWD, ".")), removal_(remove_empty, this) {
    if (!top_.is_open()) throw FileError(".", "cannot open", errno);
}

void MadeFolders::make_for(const std::string& path) {
    const std::filesystem::path folder =
        std::filesystem::path(path).lexically_normal().parent_path();
    const PostponedSignals held;
    const std::lock_guard lock(making_);
    if (known_.contains(folder)) return;
    Descriptor place(open_place(top_.number(), "."));
    std::filesystem::path so_far;
    for (const std::filesystem::path& name : folder) {
        so_far /= name;
        made_.push_back(so_far.string());
        const int failure = ::mkdirat(place.number(), name.c_str(), 0777) == 0 ? 0 : errno;
        if (failure == 0) {
            sync_folder(place.number());
        } else {
            made_.pop_back();
        }
        place = Descriptor(open_place(place.number(), name.c_str()));
        if (place.is_open()) continue;
        const int reason = failure == 0 || failure == EEXIST ? errno : failure;
        throw FileError(path, fmt::format("cannot make the folder {}", so_far.string()), reason);
    }
    known_.insert(folder);
}

bool MadeFolders::has_folder_of(const std::string& path) {
    const std::filesystem::path folder = folder_of(path);
    const std::lock_guard lock(making_);
    if (known_.contains(folder)) return true;
    std::error_code error;
    const bool is_there = std::filesystem::symlink_status(folder, error).type() !=
                          std::filesystem::file_type::not_found;
    if (is_there) known_.insert(folder);
    return is_there;
}

void MadeFolders::remove_empty(const void* folders) {
    const auto& self = *static_cast<const MadeFolders*>(folders);
    for (auto path = self.made_.rbegin(); path != self.made_.rend(); ++path) {
        remove_if_empty(self.top_.number(), path->c_str());
    }
}

}  // namespace pegen
