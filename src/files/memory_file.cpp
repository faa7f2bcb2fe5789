#include "files/memory_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.h"

namespace pegen {

MemoryFile::MemoryFile(std::string_view bytes)
    : descriptor_(::memfd_create("pe-gen", MFD_CLOEXEC)),
      path_(fmt::format("/proc/self/fd/{}", descriptor_.number())) {
    if (!descriptor_.is_open()) throw FileError("a file in memory", "cannot create", errno);
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_.number(), bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            throw FileError("a file in memory", "cannot write", errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace pegen
