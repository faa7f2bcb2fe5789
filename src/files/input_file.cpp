#include "files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/to_size.h"

namespace pegen {
namespace {

/// Longer input is more likely a mistake than a table, and other people use the disk too.
constexpr std::int64_t longest_pipe = std::int64_t{1} << 36;

/// Creates a file without a name; `path` names the pipe in messages.
/// Throws: FileError.
int open_unnamed(const std::string& path) {
    const char* chosen = std::getenv("TMPDIR");
    int error_number = ENOENT;
    for (const char* folder : {chosen, "/var/tmp", "/tmp"}) {
        if (folder == nullptr || *folder == '\0') continue;
        const int unnamed = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
        if (unnamed >= 0) return unnamed;
        std::string name = std::string(folder) + "/.pe-gen-XXXXXX";
        const int named = ::mkostemp(name.data(), O_CLOEXEC);
        if (named >= 0) {
            ::unlink(name.c_str());
            return named;
        }
        error_number = errno;
    }
    throw FileError(path, "cannot make a temporary file for what comes from the pipe",
                    error_number);
}

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            throw FileError(path, "cannot keep what comes from the pipe", count < 0 ? errno : EIO);
        }
        bytes = bytes.subspan(to_size(count));
    }
}

}  // namespace

InputFile::InputFile(std::string_view path) : InputFile(path, Kinds::regular) {}

std::shared_ptr<const InputFile> InputFile::regular_or_pipe(std::string_view path) {
    return std::shared_ptr<const InputFile>(new InputFile(path, Kinds::regular_or_pipe));
}

InputFile::InputFile(std::string_view path, Kinds kinds) : path_(path) {
    const bool takes_pipes = kinds == Kinds::regular_or_pipe;
    if (takes_pipes && path_ == "-") {
        path_ = "standard input";
        descriptor_ = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    } else {
        // O_NONBLOCK: opening a FIFO, which is refused below, must not wait for a writer.
        const int waiting = takes_pipes ? 0 : O_NONBLOCK;
        descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | waiting);
    }
    if (descriptor_ < 0) throw FileError(path_, "cannot open", errno);
    try {
        struct stat status {};
        if (::fstat(descriptor_, &status) < 0) throw FileError(path_, "cannot read", errno);
        if (S_ISDIR(status.st_mode)) throw FileError(path_, "cannot read", EISDIR);
        const bool is_pipe = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
        if (S_ISREG(status.st_mode)) {
            size_ = status.st_size;
        } else if (is_pipe && takes_pipes) {
            pipe_ = std::exchange(descriptor_, -1);
            is_whole_ = false;
            descriptor_ = open_unnamed(path_);
        } else {
            throw FileError(path_, "cannot read: not a regular file; save it to one first");
        }
    } catch (...) {
        for (const int descriptor : {descriptor_, pipe_}) {
            if (descriptor >= 0) ::close(descriptor);
        }
        throw;
    }
}

InputFile::~InputFile() {
    ::close(descriptor_);
    if (pipe_ >= 0) ::close(pipe_);
}

std::int64_t InputFile::size() const {
    const std::lock_guard lock(copying_);
    copy_pipe(longest_pipe);
    return size_;
}

bool InputFile::holds(std::int64_t bytes) const {
    const std::lock_guard lock(copying_);
    copy_pipe(bytes);
    return size_ >= bytes;
}

/// Copies from the pipe until there are `end` bytes or the pipe has ended.
/// Throws: FileError.
void InputFile::copy_pipe(std::int64_t end) const {
    std::vector<std::byte> some;
    while (!is_whole_ && size_ < end) {
        some.resize(std::size_t{1} << 16);
        const ssize_t count = ::read(pipe_, some.data(), some.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(path_, "cannot read", errno);
        is_whole_ = count == 0;
        size_ += count;
        if (size_ > longest_pipe) {
            throw FileError(path_, "more than 64 GiB from a pipe; save it to a file first");
        }
        write_all(descriptor_, std::span(some).first(to_size(count)), path_);
    }
}

void InputFile::read(std::int64_t offset, std::span<std::byte> out) const {
    if (pipe_ >= 0) holds(offset + static_cast<std::int64_t>(out.size()));
    while (!out.empty()) {
        const ssize_t count = ::pread(descriptor_, out.data(), out.size(), offset);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(path_, "cannot read", errno);
        if (count == 0) throw FileError(path_, "cannot read: it became shorter while it was read");
        offset += count;
        out = out.subspan(to_size(count));
    }
}

}  // namespace pegen
