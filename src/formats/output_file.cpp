#include "pegen/formats/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <limits>
#include <random>
#include <utility>

#include "formats/target.h"
#include "pegen/core/error.h"

namespace pegen {
namespace {

std::string temporary_name(const std::string& folder) {
    std::random_device random;
    return fmt::format("{}/.pe-gen-{:08x}{:08x}", folder, random(), random());
}

/// An unnamed file in `folder`, or -1 where the file system has none or could not name it later.
int open_unnamed(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
    if (::access(link.c_str(), F_OK) == 0) return descriptor;
    ::close(descriptor);
    return -1;
}

/// Gives a file to be created the names `temporary_name` thinks of until one is free.
/// `create` returns a negative number and sets errno on failure.
template <class Create>
int create_named(const std::string& folder, std::string& name, Create create) {
    for (;;) {
        std::string candidate = temporary_name(folder);
        const int result = create(candidate.c_str());
        if (result < 0 && errno == EEXIST) continue;
        if (result >= 0) name = std::move(candidate);
        return result;
    }
}

/// Best effort: the file is in place already, and some file systems cannot sync a folder.
void sync_folder(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

/// Gives the new file the owner, where we may, and the mode of the one it will replace.
void imitate(const FileState& old, int descriptor, std::string_view path) {
    [[maybe_unused]] const int refused = ::fchown(descriptor, old.user, old.group);
    if (::fchmod(descriptor, old.mode) < 0) throw FileError(path, "cannot set the mode", errno);
}

/// The largest file this process may write.
std::int64_t size_limit() {
    rlimit limit{};
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (::getrlimit(RLIMIT_FSIZE, &limit) < 0) return most;
    return static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, most));
}

/// Lays out `bytes` for a file on `disk`. 0, or what errno says where there is no room; whatever
/// else may be the matter, such as a file system that cannot, the file can be written without.
int allocate(int descriptor, const struct statfs& disk, std::int64_t bytes) {
    const auto free = static_cast<std::int64_t>(::geteuid() == 0 ? disk.f_bfree : disk.f_bavail);
    // Asked for too much, a file system gives until nobody has anything left. Some do not say how
    // large they are.
    if (disk.f_blocks > 0 && bytes / disk.f_bsize > free) return ENOSPC;
    // Laying out memory is filling it, and as slow.
    if (disk.f_type == TMPFS_MAGIC) return 0;
    // The size stays what has been written: some file systems would fill a larger one with zeros.
    while (::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes) < 0) {
        if (errno == ENOSPC || errno == EDQUOT) return errno;
        if (errno != EINTR) break;
    }
    return 0;
}

/// A path as messages name it.
std::string_view shown(std::string_view path) { return path == "-" ? "standard output" : path; }

}  // namespace

OutputFile::OutputFile(std::string_view path) : path_(path) {
    const Target target = find_target(path);
    if (target.is_standard_output) {
        descriptor_ = STDOUT_FILENO;
        return;
    }
    if (target.is_special) {
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (descriptor_ < 0) throw FileError(path_, "cannot open", errno);
        return;
    }
    target_ = target.path;
    const std::string folder = folder_of(target_);
    descriptor_ = open_unnamed(folder);
    if (descriptor_ < 0) {
        descriptor_ = create_named(folder, temporary_, [](const char* name) {
            return ::open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        });
    }
    if (descriptor_ < 0) throw FileError(path_, "cannot create", errno);
    try {
        if (target.old) imitate(*target.old, descriptor_, path_);
    } catch (...) {
        discard();
        throw;
    }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      written_(other.written_),
      flushed_(other.flushed_) {}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() noexcept {
    if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
    descriptor_ = -1;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
}

void OutputFile::reserve(std::int64_t bytes) {
    if (target_.empty() || bytes == 0) return;
    if (bytes > size_limit()) throw FileError(path_, fmt::format("needs {} bytes", bytes), EFBIG);
    struct statfs disk {};  // zeros if it fails
    ::fstatfs(descriptor_, &disk);
    if (const int failure = allocate(descriptor_, disk, bytes)) {
        throw FileError(path_,
                        fmt::format("needs {} bytes, {} are free", bytes,
                                    static_cast<std::int64_t>(disk.f_bavail) * disk.f_bsize),
                        failure);
    }
}

void OutputFile::write(std::span<const std::byte> bytes) {
    const std::size_t size = bytes.size();
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            // Somebody who shares our standard output made it non-blocking.
            pollfd ready{descriptor_, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            throw FileError(shown(path_), "cannot write", errno);
        }
    }
    start_flushing(size);
}

void OutputFile::start_flushing(std::size_t written) {
    // The disk works while the next rows are made, not only when finish() waits for it.
    constexpr std::int64_t enough = std::int64_t{8} << 20;
    written_ += static_cast<std::int64_t>(written);
    if (target_.empty() || written_ - flushed_ < enough) return;
    // Best effort: finish() says whether the bytes are there.
    ::sync_file_range(descriptor_, flushed_, written_ - flushed_, SYNC_FILE_RANGE_WRITE);
    flushed_ = written_;
}

void OutputFile::write(std::string_view bytes) { write(std::as_bytes(std::span(bytes))); }

void OutputFile::finish() {
    if (target_.empty()) return;
    while (::fdatasync(descriptor_) < 0) {
        if (errno == EINVAL) return;  // a file system that cannot
        if (errno != EINTR) throw FileError(path_, "cannot write", errno);
    }
}

void OutputFile::commit() {
    if (target_.empty()) return;
    assert(descriptor_ >= 0);
    const std::string folder = folder_of(target_);
    if (temporary_.empty()) {
        // An unnamed file cannot take a name that is taken: it gets one of its own first.
        const std::string link = fmt::format("/proc/self/fd/{}", descriptor_);
        const int linked = create_named(folder, temporary_, [&](const char* name) {
            return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
        });
        if (linked < 0) throw FileError(path_, "cannot create", errno);
    }
    if (::rename(temporary_.c_str(), target_.c_str()) < 0) {
        throw FileError(path_, "cannot replace", errno);
    }
    temporary_.clear();
    sync_folder(folder);
}

}  // namespace pegen
