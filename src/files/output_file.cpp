#include "files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/to_size.h"
#include "files/target.h"
#include "files/temporary_name.h"

namespace pegen {
namespace {

/// Creates an unnamed file in `folder`. Returns -1 if the file system has none or could not name it
/// later.
int open_unnamed(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    const std::string link = fmt::format("/proc/self/fd/{}", descriptor);
    if (::access(link.c_str(), F_OK) == 0) return descriptor;
    ::close(descriptor);
    return -1;
}

/// Syncs a folder. Best effort: the file is already in place, and some file systems cannot sync
/// folders.
void sync_folder(const std::string& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

/// Gives the new file the mode of the one it will replace, and its owner if we are allowed to.
void imitate(const FileState& old, int descriptor, std::string_view path) {
    [[maybe_unused]] const int refused = ::fchown(descriptor, old.user, old.group);
    if (::fchmod(descriptor, old.mode) < 0) throw FileError(path, "cannot set the mode", errno);
}

/// Returns the size of the largest file this process may write.
std::int64_t size_limit() {
    rlimit limit{};
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (::getrlimit(RLIMIT_FSIZE, &limit) < 0) return most;
    return static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, most));
}

/// Allocates `bytes` for a file on `disk`. Returns 0, or ENOSPC or EDQUOT. Any other failure (such
/// as fallocate not being supported) is ignored: the file can be written without it.
int allocate(int descriptor, const struct statfs& disk, std::int64_t bytes) {
    const auto free = static_cast<std::int64_t>(::geteuid() == 0 ? disk.f_bfree : disk.f_bavail);
    // Some file systems hand out every free block before fallocate fails, so the free space is
    // compared first. f_blocks is 0 on file systems that do not report their size.
    if (disk.f_blocks > 0 && bytes / disk.f_bsize > free) return ENOSPC;
    // On tmpfs, fallocate fills memory with zeros, which takes as long as writing.
    if (disk.f_type == TMPFS_MAGIC) return 0;
    // The size of the file stays: some file systems would fill a larger one with zeros.
    while (::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, bytes) < 0) {
        if (errno == ENOSPC || errno == EDQUOT) return errno;
        if (errno != EINTR) break;
    }
    return 0;
}

/// Returns a path as messages name it.
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
    if (target.old) remove_abandoned_beside(target_);
    descriptor_ = open_unnamed(folder_of(target_));
    if (descriptor_ < 0) {
        NamedFile file = create_beside(target_, [](const char* name) {
            return ::open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        });
        descriptor_ = file.result;
        temporary_ = std::move(file.name);
    }
    if (descriptor_ < 0) throw FileError(path_, "cannot create", errno);
    mark_as_used(descriptor_);
    if (!target.old) return;
    try {
        imitate(*target.old, descriptor_, path_);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      old_(std::exchange(other.old_, -1)),
      written_(other.written_),
      flushed_(other.flushed_) {}

OutputFile::~OutputFile() {
    temporary_.reset();  // before close() releases the locks
    if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
    if (old_ >= 0) ::close(old_);
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
            bytes = bytes.subspan(to_size(count));
        } else if (errno == EAGAIN) {
            // Another process that shares our standard output made it non-blocking.
            pollfd ready{descriptor_, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            throw FileError(shown(path_), "cannot write", errno);
        }
    }
    start_flushing(size);
}

void OutputFile::start_flushing(std::size_t written) {
    // So the disk works while the next rows are computed, not only when finish() waits for it.
    constexpr std::int64_t enough = std::int64_t{8} << 20;
    written_ += static_cast<std::int64_t>(written);
    if (target_.empty() || written_ - flushed_ < enough) return;
    // Best effort: finish() reports whether the bytes were written.
    ::sync_file_range(descriptor_, flushed_, written_ - flushed_, SYNC_FILE_RANGE_WRITE);
    flushed_ = written_;
}

void OutputFile::write(std::string_view bytes) { write(std::as_bytes(std::span(bytes))); }

void OutputFile::rewrite(std::int64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) throw FileError(path_, "cannot write", count < 0 ? errno : EIO);
        offset += count;
        bytes = bytes.subspan(to_size(count));
    }
}

void OutputFile::finish() {
    if (target_.empty()) {
        // Some file systems (such as NFS) report write errors only from close().
        const int copy = ::dup(descriptor_);
        if (copy < 0 || ::close(copy) == 0 || errno == EINTR) return;
        throw FileError(shown(path_), "cannot write", errno);
    }
    while (::fdatasync(descriptor_) < 0) {
        if (errno == EINVAL) return;  // this file system cannot sync
        if (errno != EINTR) throw FileError(path_, "cannot write", errno);
    }
}

int OutputFile::link_to(const char* name) const {
    const std::string link = fmt::format("/proc/self/fd/{}", descriptor_);
    return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

void OutputFile::take_temporary_name() {
    if (temporary_) return;
    NamedFile link = create_beside(target_, [&](const char* name) { return link_to(name); });
    if (link.result < 0) throw FileError(path_, "cannot create", errno);
    temporary_ = std::move(link.name);
}

/// Gives the file a temporary name if the target exists: linkat cannot replace a file, only rename
/// can.
void OutputFile::prepare() {
    if (!target_.empty() && ::access(target_.c_str(), F_OK) == 0) take_temporary_name();
}

void OutputFile::take_place(Old old) {
    if (target_.empty()) return;
    if (!temporary_) {
        if (link_to(target_.c_str()) == 0) return;
        if (errno != EEXIST) throw FileError(path_, "cannot create", errno);
        take_temporary_name();  // the target was created meanwhile
    }
    const char* const name = temporary_->path().c_str();
    if (old == Old::kept && ::access(target_.c_str(), F_OK) == 0) {
        old_ = open_in_use(target_.c_str());
        if (::renameat2(AT_FDCWD, name, AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) return;
        if (errno == EINVAL || errno == ENOSYS) return exchange_in_steps();
        throw FileError(path_, "cannot replace", errno);
    }
    if (::rename(name, target_.c_str()) < 0) throw FileError(path_, "cannot replace", errno);
    temporary_->release();
    temporary_.reset();
}

/// Exchanges the two names where renameat2 cannot do that: on network file systems and memory
/// cards.
void OutputFile::exchange_in_steps() {
    const char* const target = target_.c_str();
    NamedFile old = create_beside(target_, [&](const char* name) {
        const int linked = ::link(target, name);
        // Without hard links, the target does not exist for a moment.
        return linked == 0 || errno == EEXIST ? linked : ::rename(target, name);
    });
    if (old.result < 0) throw FileError(path_, "cannot replace", errno);
    std::swap(temporary_, old.name);
    if (::rename(old.name->path().c_str(), target) == 0) return old.name->release();
    const int failure = errno;
    put_back();
    throw FileError(path_, "cannot replace", failure);
}

/// Undoes take_place(Old::kept).
void OutputFile::put_back() {
    if (target_.empty()) return;
    if (!temporary_) {
        if (::unlink(target_.c_str()) == 0) return;
        throw FileError(path_, "is written, though others are not: cannot remove", errno);
    }
    if (::rename(temporary_->path().c_str(), target_.c_str()) == 0) return;
    const int failure = errno;
    temporary_->release();
    throw FileError(
        path_, fmt::format("its old content is now {}: cannot put it back", temporary_->path()),
        failure);
}

void commit(std::span<OutputFile* const> files) {
    const PostponedSignals held;
    // Collected now: once all files are in place, nothing may fail, not even for lack of memory.
    std::vector<std::string> folders;
    for (const OutputFile* file : files) {
        if (!file->target_.empty()) folders.push_back(folder_of(file->target_));
    }
    std::size_t placed = 0;
    try {
        for (OutputFile* file : files) file->prepare();
        for (; placed + 1 < files.size(); ++placed)
            files[placed]->take_place(OutputFile::Old::kept);
        held.give_way();
        if (!files.empty()) files.back()->take_place(OutputFile::Old::dropped);
    } catch (...) {
        std::exception_ptr failure = std::current_exception();
        while (placed > 0) {
            try {
                files[--placed]->put_back();
            } catch (...) {
                failure = std::current_exception();
            }
        }
        std::rethrow_exception(failure);
    }
    for (OutputFile* file : files) file->temporary_.reset();
    for (const std::string& folder : folders) sync_folder(folder);
}

}  // namespace pegen
