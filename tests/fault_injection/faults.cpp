/// A library to be loaded before the C library (LD_PRELOAD). It lets calls of the C library go
/// wrong.
///
/// PEGEN_FAULT=write:3:28      the third call of write fails with errno 28
/// PEGEN_FAULT=write:3+:28     the third call and all that follow fail
/// PEGEN_FAULT=write:3:short   the third write writes one byte
/// PEGEN_FAULT=write:3+:zero   the third write and all that follow return 0
/// PEGEN_FAULT=write:3:signal2   SIGINT comes before the third call of write
/// PEGEN_FAULT=any:3:28        the third of all calls on files fails
/// PEGEN_FAULT=commit:3:28     the third call on files after the first flush fails
/// PEGEN_FAULT=write:3:28,any:9:signal19   both of two faults
/// PEGEN_LACKS=unnamed,exchange,noreplace,link,proc   what the system does not support
/// PEGEN_SLOW=3000:7           each call on files waits for up to 3000 microseconds; 7 is the seed
/// PEGEN_SEEN=path             a file that is created when the fault happens
///
/// Calls that do the same to a path and to a folder's descriptor have one name: `open` is open
/// and openat; `linkat` names an open file, `link` names a file once more; `renameat2` has
/// flags, `rename` has none.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <string_view>

namespace {

constexpr int short_write = -1;
constexpr int empty_write = -2;

struct Fault {
    std::string_view call;
    long nth = 0;
    bool goes_on = false;
    int error = 0;  ///< errno's value, short_write or empty_write
    int signal = 0;
    std::atomic<long> calls = 0;
};

std::array<Fault, 2> faults;
std::string_view lacking;
const char* seen = nullptr;
unsigned most_microseconds = 0;
std::atomic<bool> is_flushed = false;
std::minstd_rand delays;

std::string_view variable(const char* name) {
    const char* const value = getenv(name);
    return value ? value : "";
}

template <class Function>
Function* next(Function*, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

long number_at(std::string_view text) { return strtol(text.data(), nullptr, 10); }

void read_fault(Fault& fault, std::string_view text) {
    const std::size_t first = text.find(':');
    const std::size_t second = text.find(':', first + 1);
    if (second == std::string_view::npos) return;
    const std::string_view what = text.substr(second + 1);
    constexpr std::string_view signal = "signal";
    fault.nth = number_at(text.substr(first + 1));
    fault.goes_on = text[second - 1] == '+';
    if (what.starts_with(signal)) {
        fault.signal = static_cast<int>(number_at(what.substr(signal.size())));
    } else {
        fault.error = what == "short"  ? short_write
                      : what == "zero" ? empty_write
                                       : static_cast<int>(number_at(what));
    }
    fault.call = text.substr(0, first);
}

__attribute__((constructor)) void read_environment() {
    lacking = variable("PEGEN_LACKS");
    seen = getenv("PEGEN_SEEN");
    const std::string_view both = variable("PEGEN_FAULT");
    const std::size_t comma = std::min(both.find(','), both.size());
    read_fault(faults[0], both.substr(0, comma));
    if (comma < both.size()) read_fault(faults[1], both.substr(comma + 1));
    const std::string_view slow = variable("PEGEN_SLOW");
    const std::size_t colon = slow.find(':');
    if (colon == std::string_view::npos) return;
    most_microseconds = static_cast<unsigned>(number_at(slow));
    delays.seed(static_cast<unsigned>(number_at(slow.substr(colon + 1))));
}

bool lacks(std::string_view ability) { return lacking.find(ability) != std::string_view::npos; }

/// Sets errno and returns true if the system does not support what is asked for.
bool is_lacking(std::string_view ability, int error) {
    if (!lacks(ability)) return false;
    errno = error;
    return true;
}

bool is_without(std::string_view path) {
    return path.starts_with("/proc/") && is_lacking("proc", ENOENT);
}

/// Lets another process send the signal, since a signal that a program sends to itself may mean
/// something else.
void send(int signal) {
    const pid_t sender = vfork();
    if (sender == 0) {
        kill(getppid(), signal);
        _exit(0);
    }
    waitpid(sender, nullptr, 0);
}

/// Counts a call that matches `fault`, and makes it fail if it is its turn. Returns the fault: a
/// value of errno, short_write, empty_write, or 0 for no fault.
int count(Fault& fault) {
    const long number = ++fault.calls;
    if (number != fault.nth && !(fault.goes_on && number > fault.nth)) return 0;
    if (seen) {
        const auto open_file = next(open, "open");
        next(close, "close")(open_file(seen, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    }
    if (fault.signal != 0) send(fault.signal);
    return fault.error;
}

/// Returns the fault of a call, 0 for no fault. `is_meant(name)` is true if a fault with this name
/// of a call matches.
template <class Predicate>
int fault_if(const Predicate& is_meant) {
    int error = 0;
    for (Fault& fault : faults) {
        if (error == 0 && is_meant(fault.call)) error = count(fault);
    }
    return error;
}

int fault_of(std::string_view call) {
    return fault_if([&](std::string_view meant) { return meant == call; });
}

/// Returns the fault of a call that works on files, 0 for no fault.
int fault_of_file(std::string_view call) {
    if (most_microseconds > 0) usleep(static_cast<useconds_t>(delays() % most_microseconds));
    const bool is_in_commit = is_flushed;
    if (call == "fdatasync") is_flushed = true;
    return fault_if([&](std::string_view meant) {
        return meant == call || meant == "any" || (is_in_commit && meant == "commit");
    });
}

bool fails_with(int error) {
    if (error != 0) errno = error;
    return error != 0;
}

bool fails(std::string_view call) { return fails_with(fault_of_file(call)); }

bool has_no_memory() { return fails_with(fault_of("malloc")); }

bool is_refused(const char* path, int flags) {
    const bool is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    return (is_unnamed && is_lacking("unnamed", EOPNOTSUPP)) || is_without(path) || fails("open");
}

/// Writes with `next(number of bytes)`, unless a fault applies.
template <class Next>
ssize_t write_or_fail(std::string_view call, size_t size, const Next& write_on) {
    const int error = fault_of_file(call);
    if (error == empty_write) return 0;
    if (error == short_write) return write_on(std::min<size_t>(size, 1));
    return fails_with(error) ? -1 : write_on(size);
}

}  // namespace

// The C library's own names for malloc and its kin: dlsym calls malloc itself.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) { return has_no_memory() ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
    return has_no_memory() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    return has_no_memory() ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return has_no_memory() ? nullptr : __libc_memalign(alignment, size);
}

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return is_refused(path, flags) ? -1 : next(open, "open")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return is_refused(path, flags) ? -1 : next(openat, "openat")(folder, path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t size) {
    const auto write_on = [&](size_t count) { return next(write, "write")(file, bytes, count); };
    // Standard error does not count as a file.
    return file == STDERR_FILENO ? write_on(size) : write_or_fail("write", size, write_on);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    return write_or_fail("pwrite", size, [&](size_t count) {
        return next(pwrite, "pwrite")(file, bytes, count, offset);
    });
}

int access(const char* path, int mode) noexcept {
    return is_without(path) || fails("access") ? -1 : next(access, "access")(path, mode);
}

int faccessat(int folder, const char* path, int mode, int flags) noexcept {
    return is_without(path) || fails("access")
               ? -1
               : next(faccessat, "faccessat")(folder, path, mode, flags);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
    const bool is_refused = ((flags & RENAME_EXCHANGE) != 0 && is_lacking("exchange", EINVAL)) ||
                            ((flags & RENAME_NOREPLACE) != 0 && is_lacking("noreplace", EINVAL)) ||
                            fails(flags != 0 ? "renameat2" : "rename");
    return is_refused ? -1 : next(renameat2, "renameat2")(from_folder, from, to_folder, to, flags);
}

int link(const char* from, const char* to) noexcept {
    return is_lacking("link", EPERM) || fails("link") ? -1 : next(link, "link")(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
    const bool is_naming = (flags & (AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) != 0;
    const bool is_refused = is_naming ? is_without(from) || fails("linkat")
                                      : is_lacking("link", EPERM) || fails("link");
    return is_refused ? -1 : next(linkat, "linkat")(from_folder, from, to_folder, to, flags);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
    if (const int error = fault_of("pthread_create")) return error;
    return next(pthread_create, "pthread_create")(thread, attributes, run, argument);
}

#define MAY_FAIL(call, name, parameters, arguments) \
    int name parameters { return fails(#call) ? -1 : next(name, #name) arguments; }

MAY_FAIL(close, close, (int file), (file))
MAY_FAIL(dup, dup, (int file) noexcept, (file))
MAY_FAIL(fallocate, fallocate, (int file, int mode, off_t first, off_t size),
         (file, mode, first, size))
MAY_FAIL(fchmod, fchmod, (int file, mode_t mode) noexcept, (file, mode))
MAY_FAIL(fchown, fchown, (int file, uid_t user, gid_t group) noexcept, (file, user, group))
MAY_FAIL(fdatasync, fdatasync, (int file), (file))
MAY_FAIL(flock, flock, (int file, int operation) noexcept, (file, operation))
MAY_FAIL(fstatfs, fstatfs, (int file, struct statfs* status) noexcept, (file, status))
MAY_FAIL(fstatvfs, fstatvfs, (int file, struct statvfs* status) noexcept, (file, status))
MAY_FAIL(fsync, fsync, (int file), (file))
MAY_FAIL(rename, rename, (const char* from, const char* to) noexcept, (from, to))
MAY_FAIL(rename, renameat, (int a, const char* from, int b, const char* to) noexcept,
         (a, from, b, to))
MAY_FAIL(sync_file_range, sync_file_range, (int file, off_t first, off_t size, unsigned flags),
         (file, first, size, flags))
MAY_FAIL(unlink, unlink, (const char* path) noexcept, (path))
MAY_FAIL(unlink, unlinkat, (int folder, const char* path, int flags) noexcept,
         (folder, path, flags))
}
