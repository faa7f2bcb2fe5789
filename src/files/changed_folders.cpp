#include "files/changed_folders.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "core/error.h"
#include "files/open_file.h"

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

}  // namespace pegen
