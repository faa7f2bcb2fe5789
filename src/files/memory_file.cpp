#include "files/memory_file.h"

#include <unistd.h>

#include <cerrno>

#include "core/error.h"
#include "files/system.h"

namespace pegen {
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
