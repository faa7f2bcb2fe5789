#include "files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "core/parallel.h"
#include "files/folders.h"
#include "files/open_file.h"
#include "files/system.h"
#include "files/target.h"
#include "files/temporary_name.h"

namespace pegen {
namespace {

/// Opens a target that is written directly. Throws: FileError.
Descriptor open_directly(const Target& target, std::string_view path) {
    if (target.descriptor < 0) {
        // Of these targets, only a file that another process has open has a length.
        Descriptor file = open_file(target.path, O_WRONLY | O_NOCTTY | O_TRUNC);
        if (!file.is_open()) throw FileError(path, "cannot open", errno);
        return file;
    }
    // A descriptor that is closed on exec was not given to this process.
    const int flags = ::fcntl(target.descriptor, F_GETFD);
    const bool is_given = flags >= 0 && (flags & FD_CLOEXEC) == 0;
    Descriptor copy(is_given ? ::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0) : -1);
    if (!copy.is_open()) throw FileError(path, "cannot write", is_given ? errno : EBADF);
    return copy;
}

/// True if `name` in `folder` belongs to another file than the open one.
bool is_name_of_another(int folder, const std::string& name, const Descriptor& file) {
    struct stat named {};
    struct stat opened {};
    return ::fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           ::fstat(file.number(), &opened) == 0 &&
           (named.st_dev != opened.st_dev || named.st_ino != opened.st_ino);
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

/// True unless the file system `disk` has less room than `bytes`. f_blocks is 0 on file systems
/// that do not report their size.
bool has_room(const struct statvfs& disk, std::int64_t bytes) {
    const auto free = static_cast<std::int64_t>(::geteuid() == 0 ? disk.f_bfree : disk.f_bavail);
    return disk.f_blocks == 0 || bytes / static_cast<std::int64_t>(disk.f_frsize) <= free;
}

/// Returns the message that names the missing folder: the first one of the path that does not
/// exist.
std::string missing_folder(const std::string& path) {
    std::filesystem::path missing(path);
    std::error_code error;
    while (missing.has_parent_path() && missing.has_relative_path() &&
           !std::filesystem::exists(missing.parent_path(), error)) {
        missing = missing.parent_path();
    }
    return fmt::format("the folder {} does not exist", missing.string());
}

/// Returns a path as messages name it.
std::string_view shown(std::string_view path) { return path == "-" ? "standard output" : path; }

}  // namespace

OutputFile::OutputFile(std::string_view path, Placing placing) : path_(path), placing_(placing) {
    const Target target = find_target(path);
    if (target.is_written_directly()) {
        file_ = open_directly(target, shown(path_));
        is_standard_output_ = target.descriptor == STDOUT_FILENO;
        return;
    }
    shown_folder_ = folder_of(target.path);
    name_ = target.path.substr(target.path.rfind('/') + 1);
    folder_ = open_file(shown_folder_, as_place);
    if (!folder_.is_open()) {
        if (errno == ENOENT) throw FileError(path_, missing_folder(shown_folder_));
        throw FileError(path_, "cannot create", errno);
    }
    if (target.old && is_append_only(folder_)) throw FileError(path_, "cannot replace", EPERM);
    if (!placing_.has_name) file_ = create_unnamed(folder_);
    if (!file_.is_open() && !is_append_only(folder_)) {
        NamedFile file = create_beside(folder_.number(), name_, [&](const char* name) {
            return ::openat(folder_.number(), name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        });
        file_ = Descriptor(file.result);
        temporary_ = std::move(file.name);
    }
    if (!file_.is_open()) throw FileError(path_, "cannot create", errno);
    replaces_ = target.old.has_value();
    if (is_waited_for() && is_in_memory(folder_)) placing_.sync = Sync::none;
    if (replaces_) imitate(*target.old, file_.number(), path_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept = default;
OutputFile::~OutputFile() = default;

std::string OutputFile::path_for_others() const {
    if (is_written_directly()) return "";
    if (temporary_) return fmt::format("{}/{}", shown_folder_, temporary_->text());
    return fmt::format("/proc/{}/fd/{}", ::getpid(), file_.number());
}

void OutputFile::reserve(std::int64_t bytes) {
    // A smaller file that does not fit fails soon enough when it is written.
    constexpr std::int64_t smallest = std::int64_t{1} << 18;
    if (is_written_directly() || bytes < smallest) return;
    if (bytes > size_limit()) {
        throw FileError(path_, fmt::format("needs {}", bytes_text(static_cast<double>(bytes))),
                        EFBIG);
    }
    struct statvfs disk {};  // zeros if it fails
    ::fstatvfs(file_.number(), &disk);
    // Some file systems hand out every free block before an allocation fails.
    const int failure = has_room(disk, bytes) ? allocate(file_, bytes) : ENOSPC;
    if (failure != 0) {
        throw FileError(path_,
                        fmt::format("needs {}, {} are free", bytes_text(static_cast<double>(bytes)),
                                    bytes_text(static_cast<double>(disk.f_bavail) *
                                               static_cast<double>(disk.f_frsize))),
                        failure);
    }
}

void OutputFile::write(std::span<const std::byte> bytes) {
    const std::size_t size = bytes.size();
    while (!bytes.empty()) {
        const ssize_t count = ::write(file_.number(), bytes.data(), bytes.size());
        if (count > 0) {
            bytes = bytes.subspan(count);
        } else if (count == 0) {
            throw FileError(shown(path_), "cannot write", EIO);
        } else if (errno == EAGAIN) {
            // Another process that shares our standard output made it non-blocking.
            pollfd ready{file_.number(), POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno == EPIPE && is_standard_output_) {
            throw ReaderGone(shown(path_), "cannot write", errno);
        } else if (errno != EINTR) {
            throw FileError(shown(path_), "cannot write", errno);
        }
    }
    start_flushing(size);
}

void OutputFile::start_flushing(std::size_t written) {
    // The disk works while the next rows are computed, not only when finish() waits for it.
    constexpr std::int64_t enough = std::int64_t{8} << 20;
    written_ += static_cast<std::int64_t>(written);
    if (!is_waited_for() || written_ - flushed_ < enough) return;
    // Best effort: finish() reports whether the bytes were written.
    start_writing_back(file_, flushed_, written_ - flushed_);
    flushed_ = written_;
}

void OutputFile::write(std::string_view bytes) { write(std::as_bytes(std::span(bytes))); }

void OutputFile::rewrite(std::int64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(file_.number(), bytes.data(), bytes.size(), offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) throw FileError(path_, "cannot write", count < 0 ? errno : EIO);
        offset += count;
        bytes = bytes.subspan(count);
    }
}

bool OutputFile::is_waited_for() const {
    if (is_written_directly() || placing_.sync == Sync::none) return false;
    return placing_.sync == Sync::all || replaces_;
}

/// Waits until the file is on the disk. Returns 0, or the errno of what failed, also when it is
/// called again: the kernel reports a failure only once.
int OutputFile::wait_for_disk() {
    if (!disk_failure_) {
        int failure = 0;
        do {
            failure = sync_data(file_) == 0 ? 0 : errno;
        } while (failure == EINTR);
        disk_failure_ = failure == EINVAL ? 0 : failure;  // EINVAL: this file system cannot sync
    }
    return *disk_failure_;
}

void write_back(std::span<OutputFile* const> files) {
    std::vector<OutputFile*> waiting;
    std::ranges::copy_if(files, std::back_inserter(waiting), &OutputFile::is_waited_for);
    for (const OutputFile* file : waiting) start_writing_back(file->file_, 0, 0);
    // One commit of the file system's journal serves all who wait for it.
    wait_for_all(std::ssize(waiting), [&](std::int64_t i) { waiting[i]->wait_for_disk(); });
}

void OutputFile::finish() {
    int failure = 0;
    if (is_waited_for()) {
        failure = wait_for_disk();
    } else {
        // Some file systems (such as NFS) report write errors only from close().
        const int copy = ::dup(file_.number());
        if (copy >= 0 && ::close(copy) < 0 && errno != EINTR) failure = errno;
    }
    if (failure != 0) throw FileError(shown(path_), "cannot write", failure);
}

/// Returns a name in the target's folder as messages give it.
std::string OutputFile::shown_name(const std::string& name) const {
    return shown_folder_ == "." ? name : fmt::format("{}/{}", shown_folder_, name);
}

bool OutputFile::target_exists() const {
    return ::faccessat(folder_.number(), name_.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

// The steps of the commit return 0, or the errno of what failed.

int OutputFile::take_temporary_name() {
    if (temporary_) return 0;
    NamedFile link = create_beside(folder_.number(), name_, [&](const char* name) {
        errno = name_unnamed(file_, folder_, name);
        return errno == 0 ? 0 : -1;
    });
    if (link.result < 0) return errno;
    temporary_ = std::move(link.name);
    return 0;
}

/// Puts the file in its place if no other file is there, else fails with EEXIST.
int OutputFile::appear() {
    const int folder = folder_.number();
    const char* const target = name_.c_str();
    if (!temporary_) return name_unnamed(file_, folder_, target);
    const char* const name = temporary_->text().c_str();
    if (const int refused = rename_to_free(folder_, name, target)) {
        if (refused != EINVAL && refused != ENOSYS) return refused;
        if (::linkat(folder, name, folder, target, 0) == 0) {
            temporary_.reset();
            return 0;
        }
        if (errno == EEXIST) return errno;
        // On file systems without hard links, too, an empty file holds the place.
        const Descriptor holder(
            ::openat(folder, target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
        if (!holder.is_open()) return errno;
        if (::renameat(folder, name, folder, target) != 0) {
            const int failure = errno;
            ::unlinkat(folder, target, 0);
            return failure;
        }
    }
    temporary_->release();
    temporary_.reset();
    return 0;
}

/// Puts the file in the place of another file, whose content gets the temporary name if it is kept.
int OutputFile::replace(Old old) {
    replaces_ = true;
    // Another program may have made the target after finish().
    if (const int failure = is_waited_for() ? wait_for_disk() : 0) return failure;
    if (const int failure = take_temporary_name()) return failure;
    const int folder = folder_.number();
    const char* const name = temporary_->text().c_str();
    if (old == Old::kept) return exchange();
    if (::renameat(folder, name, folder, name_.c_str()) != 0) return errno;
    temporary_->release();
    temporary_.reset();
    return 0;
}

/// Exchanges the target and the file that has the temporary name.
int OutputFile::exchange() {
    const int failure = exchange_names(folder_, temporary_->text().c_str(), name_.c_str());
    return failure == EINVAL || failure == ENOSYS ? exchange_in_steps() : failure;
}

/// Exchanges the target and the file that has the temporary name where one step cannot do that: on
/// network file systems and memory cards.
int OutputFile::exchange_in_steps() {
    const int folder = folder_.number();
    const char* const target = name_.c_str();
    NamedFile old = create_beside(folder, name_, [&](const char* name) {
        const int linked = ::linkat(folder, target, folder, name, 0);
        // Without hard links, the target does not exist for a moment.
        const bool has_links = linked == 0 || errno == EEXIST || errno == ENOENT;
        return has_links ? linked : ::renameat(folder, target, folder, name);
    });
    if (old.result < 0) return errno;
    std::swap(temporary_, old.name);
    if (::renameat(folder, old.name->text().c_str(), folder, target) == 0) {
        old.name->release();
        return 0;
    }
    const int failure = errno;
    if (target_exists()) {
        std::swap(temporary_, old.name);  // old.name is only a second name of the target
    } else {
        put_back();
    }
    return failure;
}

/// Gives the file a temporary name if the target exists: only rename can replace a file, linkat
/// cannot.
void OutputFile::prepare() {
    if (is_written_directly() || placing_.existing == Existing::kept || !target_exists()) return;
    if (const int failure = take_temporary_name()) throw FileError(path_, "cannot create", failure);
}

void OutputFile::take_place(Old old) {
    if (is_written_directly()) return;
    // Other programs may create and remove the target between a look at it and the step that
    // follows.
    constexpr int most_tries = 100;
    for (int tries = 1;; ++tries) {
        const bool is_free = tries == 1 ? !replaces_ : !target_exists();
        const bool appears = placing_.existing == Existing::kept || is_free;
        const int failure = appears ? appear() : replace(old);
        if (failure == 0) return;
        if (failure == EEXIST && placing_.existing == Existing::kept) {
            throw FileError(path_, "another program has made it meanwhile, and it stays");
        }
        const bool has_changed = failure == (appears ? EEXIST : ENOENT);
        if (!has_changed || tries == most_tries) {
            throw FileError(path_, appears ? "cannot create" : "cannot replace", failure);
        }
    }
}

/// Puts the old content back in the place of the file, unless another program has put its file
/// there.
int OutputFile::restore() {
    const int folder = folder_.number();
    if (exchange() == 0) {
        return is_name_of_another(folder, temporary_->text(), file_) ? exchange() : 0;
    }
    if (is_name_of_another(folder, name_, file_)) return 0;
    if (::renameat(folder, temporary_->text().c_str(), folder, name_.c_str()) != 0) return errno;
    temporary_->release();
    return 0;
}

/// Removes the file from its place, unless another program has put its file there.
int OutputFile::withdraw() const {
    const int folder = folder_.number();
    const char* const target = name_.c_str();
    // Nobody can exchange a file under a name of our own between a look at it and its removal.
    const NamedFile aside = create_beside(
        folder, name_, [&](const char* name) { return ::renameat(folder, target, folder, name); });
    if (aside.result < 0) {
        if (is_name_of_another(folder, name_, file_)) return 0;
        return ::unlinkat(folder, target, 0) == 0 || errno == ENOENT ? 0 : errno;
    }
    const char* const name = aside.name->text().c_str();
    if (!is_name_of_another(folder, name, file_)) return 0;
    if (::linkat(folder, name, folder, target, 0) == 0 || errno == EEXIST) return 0;
    if (::renameat(folder, name, folder, target) != 0) return errno;
    aside.name->release();
    return 0;
}

/// Undoes take_place(Old::kept). A file that another run has put in the place since then stays.
void OutputFile::put_back() {
    if (is_written_directly()) return;
    if (!temporary_) {
        if (const int failure = withdraw()) {
            throw FileError(path_, "is written, though others are not: cannot remove", failure);
        }
    } else if (const int failure = restore()) {
        temporary_->release();
        throw FileError(path_,
                        fmt::format("its old content is now {}: cannot put it back",
                                    shown_name(temporary_->text())),
                        failure);
    }
}

void commit(std::span<OutputFile* const> files, ChangedFolders& folders) {
    const PostponedSignals held;
    std::size_t placed = 0;
    try {
        for (const OutputFile* file : files) {
            if (file->is_waited_for()) folders.add(file->shown_folder_, file->folder_);
        }
        if (files.size() > 1) {
            for (OutputFile* file : files) file->prepare();
        }
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
    // From here on nothing may fail, not even for lack of memory.
    for (OutputFile* file : files) file->temporary_.reset();
}

void commit(std::span<OutputFile* const> files) {
    ChangedFolders folders;
    commit(files, folders);
    folders.sync();
}

}  // namespace pegen
