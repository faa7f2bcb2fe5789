#include "files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "pegen/core/error.h"

namespace pegen {

InputFile::InputFile(std::string_view path) : path_(path) {
    // O_NONBLOCK: opening a FIFO that nobody writes to must not hang; it means nothing to files.
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) throw FileError(path_, "cannot open", errno);
    struct stat status {};
    const int error_number = ::fstat(descriptor_, &status) < 0 ? errno
                             : S_ISDIR(status.st_mode)         ? EISDIR
                                                               : 0;
    if (error_number != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor_);
        if (error_number != 0) throw FileError(path_, "cannot read", error_number);
        throw FileError(path_, "cannot read: not a regular file; save it to one first");
    }
    size_ = status.st_size;
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::int64_t offset, std::span<std::byte> out) const {
    while (!out.empty()) {
        const ssize_t count = ::pread(descriptor_, out.data(), out.size(), offset);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(path_, "cannot read", errno);
        if (count == 0) throw FileError(path_, "cannot read: it became shorter while it was read");
        offset += count;
        out = out.subspan(static_cast<std::size_t>(count));
    }
}

}  // namespace pegen
