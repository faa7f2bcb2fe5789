#include "files/memory_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.h"

namespace pegen {

Descriptor file_in_memory(std::string_view bytes) {
    Descriptor file(::memfd_create("pe-gen", MFD_CLOEXEC));
    if (!file.is_open()) throw FileError("a file in memory", "cannot create", errno);
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            throw FileError("a file in memory", "cannot write", errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return file;
}

MemoryFile::MemoryFile(std::string_view bytes) {
    const auto file = std::make_shared<const Descriptor>(file_in_memory(bytes));
    path_ = fmt::format("/proc/self/fd/{}", file->number());
    owner_ = file;
}

}  // namespace pegen
