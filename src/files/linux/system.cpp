#include "files/system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <linux/magic.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

namespace pegen {
namespace {

int rename_as(const Descriptor& folder, const char* name, const char* other, unsigned how) {
    const int failure = ::renameat2(folder.number(), name, folder.number(), other, how);
    return failure == 0 ? 0 : errno;
}

}  // namespace

const int as_place = O_PATH | O_DIRECTORY;

Descriptor create_unnamed(const Descriptor& folder) {
    static const bool can_be_named = ::access("/proc/self/fd", F_OK) == 0;
    if (!can_be_named) return Descriptor();
    return Descriptor(::openat(folder.number(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
}

int name_unnamed(const Descriptor& file, const Descriptor& folder, const char* name) {
    // By the descriptor alone, since Linux 6.10, or as root. It is faster than by way of /proc.
    if (::linkat(file.number(), "", folder.number(), name, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT) return errno;
    const std::string link = fmt::format("/proc/self/fd/{}", file.number());
    const int failure = ::linkat(AT_FDCWD, link.c_str(), folder.number(), name, AT_SYMLINK_FOLLOW);
    return failure == 0 ? 0 : errno;
}

bool is_append_only(const Descriptor& folder) {
    struct statx state {};
    return ::statx(folder.number(), "", AT_EMPTY_PATH, 0, &state) == 0 &&
           (state.stx_attributes & STATX_ATTR_APPEND) != 0;
}

bool is_in_memory(const Descriptor& file) {
    struct statfs disk {};  // zeros if it fails
    ::fstatfs(file.number(), &disk);
    return disk.f_type == TMPFS_MAGIC;
}

int allocate(const Descriptor& file, std::int64_t bytes) {
    // On tmpfs, fallocate fills memory with zeros, which takes as long as writing.
    if (is_in_memory(file)) return 0;
    // The size of the file stays: some file systems would fill a larger one with zeros.
    while (::fallocate(file.number(), FALLOC_FL_KEEP_SIZE, 0, bytes) < 0) {
        if (errno == ENOSPC || errno == EDQUOT) return errno;
        if (errno != EINTR) break;
    }
    return 0;
}

void start_writing_back(const Descriptor& file, std::int64_t offset, std::int64_t bytes) {
    ::sync_file_range(file.number(), offset, bytes, SYNC_FILE_RANGE_WRITE);
}

int sync_data(const Descriptor& file) { return ::fdatasync(file.number()); }

int rename_to_free(const Descriptor& folder, const char* name, const char* free) {
    return rename_as(folder, name, free, RENAME_NOREPLACE);
}

int exchange_names(const Descriptor& folder, const char* name, const char* other) {
    return rename_as(folder, name, other, RENAME_EXCHANGE);
}

FileInMemory create_in_memory() {
    Descriptor file(::memfd_create("pe-gen", MFD_CLOEXEC));
    std::string path = fmt::format("/proc/self/fd/{}", file.number());
    return {std::move(file), std::move(path), nullptr};
}

void keep_memory() {
    constexpr int bytes = 8 << 20;
    ::mallopt(M_TRIM_THRESHOLD, 4 * bytes);
    ::mallopt(M_MMAP_THRESHOLD, bytes);
}

void share_kept_memory() { ::mallopt(M_ARENA_MAX, 1); }

bool loads_libraries() {
    // A program that is linked dynamically names its loader.
    const auto* const headers = reinterpret_cast<const ElfW(Phdr)*>(::getauxval(AT_PHDR));
    const std::span all(headers, headers == nullptr ? 0 : ::getauxval(AT_PHNUM));
    return std::ranges::any_of(all, [](const ElfW(Phdr) & one) { return one.p_type == PT_INTERP; });
}

bool has_open_files(const std::filesystem::path& folder) {
    struct statfs system {};
    return folder.filename() == "fd" && ::statfs(folder.c_str(), &system) == 0 &&
           system.f_type == PROC_SUPER_MAGIC;
}

}  // namespace pegen
