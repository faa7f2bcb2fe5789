#include "files/open_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <filesystem>

#include "core/error.h"
#include "files/system.h"

namespace pegen {
namespace {

/// The folder of a BeneathCurrentFolder, or -1.
int top = -1;

bool are_all_refused = false;

/// Opens `path` from the folder `top` step by step. Each step starts at a folder that is open and
/// goes down by one name, so nobody can lead it elsewhere meanwhile.
Descriptor open_beneath(const std::filesystem::path& path, int flags) {
    Descriptor place;
    errno = ENOENT;  // for a path without parts
    for (auto part = path.begin(); part != path.end(); ++part) {
        if (part->is_absolute() || *part == "..") {
            errno = EXDEV;
            return Descriptor();
        }
        const int folder = place.is_open() ? place.number() : top;
        const bool is_last = std::next(part) == path.end();
        const int how = is_last ? flags : as_place;
        const char* const name = part->empty() ? "." : part->c_str();  // after a final slash
        place = Descriptor(::openat(folder, name, how | O_NOFOLLOW | O_CLOEXEC));
        if (!place.is_open()) break;
    }
    return place;
}

}  // namespace

BeneathCurrentFolder::BeneathCurrentFolder() : folder_(::open(".", as_place | O_CLOEXEC)) {
    assert(top < 0);
    if (!folder_.is_open()) throw FileError(".", "cannot open", errno);
    top = folder_.number();
}

BeneathCurrentFolder::~BeneathCurrentFolder() { top = -1; }

bool stays_beneath() { return top >= 0; }

bool opens_any_file() { return !are_all_refused && !stays_beneath(); }

void open_no_files() { are_all_refused = true; }

Descriptor open_file(const std::string& path, int flags) {
    if (are_all_refused) {
        errno = EACCES;
        return Descriptor();
    }
    if (stays_beneath()) return open_beneath(path, flags);
    return Descriptor(::open(path.c_str(), flags | O_CLOEXEC));
}

void sync_folder(int folder) {
    const Descriptor readable(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (readable.is_open()) ::fsync(readable.number());
}

namespace {

FileInMemory file_with(std::string_view bytes) {
    FileInMemory made = create_in_memory();
    if (!made.file.is_open()) throw FileError("a file in memory", "cannot create", errno);
    while (!bytes.empty()) {
        const ssize_t written = ::write(made.file.number(), bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            throw FileError("a file in memory", "cannot write", errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return made;
}

}  // namespace

Descriptor file_in_memory(std::string_view bytes) { return file_with(bytes).file; }

MemoryFile::MemoryFile(std::string_view bytes) {
    const auto made = std::make_shared<const FileInMemory>(file_with(bytes));
    path_ = made->path;
    owner_ = made;
}

}  // namespace pegen
