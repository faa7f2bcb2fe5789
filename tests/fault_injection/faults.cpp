/// A library to be loaded before the C library (LD_PRELOAD). It lets one call of the C library go
/// wrong.
///
/// PEGEN_FAULT=write:3:28    the third call of write fails with errno 28
/// PEGEN_FAULT=write:3+:28   the third call and all that follow fail
/// PEGEN_FAULT=write:3:short the third write writes one byte
/// PEGEN_FAULT=rename:1:INT  SIGINT comes before the first call of rename (INT, TERM, HUP, KILL)
/// PEGEN_LACKS=unnamed,exchange,link  what the file system does not support
/// PEGEN_SEEN=path           a file that is created when the fault happens

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>

namespace {

constexpr int short_write = -1;

struct Plan {
    std::string_view call;
    long nth = 0;
    bool goes_on = false;
    int error = 0;  ///< errno's value, or short_write
    int signal = 0;
    const char* seen = nullptr;
    std::string_view lacks;
};

Plan plan;
std::atomic<long> calls = 0;

std::string_view variable(const char* name) {
    const char* const value = getenv(name);
    return value ? value : "";
}

int signal_named(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, int>, 4> names{
        {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}, {"KILL", SIGKILL}}};
    const auto found = std::ranges::find(names, name, &std::pair<std::string_view, int>::first);
    return found == names.end() ? 0 : found->second;
}

__attribute__((constructor)) void read_plan() {
    plan.lacks = variable("PEGEN_LACKS");
    plan.seen = getenv("PEGEN_SEEN");
    const std::string_view fault = variable("PEGEN_FAULT");
    const std::size_t first = fault.find(':');
    const std::size_t second = fault.find(':', first + 1);
    if (second == std::string_view::npos) return;
    const std::string_view what = fault.substr(second + 1);
    plan.goes_on = fault[second - 1] == '+';
    plan.nth = std::strtol(fault.data() + first + 1, nullptr, 10);
    plan.signal = signal_named(what);
    plan.error = what == "short" ? short_write : static_cast<int>(strtol(what.data(), nullptr, 10));
    plan.call = fault.substr(0, first);
}

bool lacks(std::string_view ability) { return plan.lacks.find(ability) != std::string_view::npos; }

/// Returns what is to go wrong with this call: a value of errno, short_write, or 0 for nothing.
int fault(std::string_view call) {
    if (call != plan.call) return 0;
    const long number = ++calls;
    if (number != plan.nth && !(plan.goes_on && number > plan.nth)) return 0;
    if (plan.seen) syscall(SYS_open, plan.seen, O_CREAT | O_WRONLY, 0600);
    if (plan.signal != 0) {
        kill(getpid(), plan.signal);
        return 0;
    }
    return plan.error;
}

template <class Function>
Function* next(Function*, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool fails(std::string_view call) {
    const int error = fault(call);
    if (error != 0) errno = error;
    return error != 0;
}

}  // namespace

// The C library's own names for malloc and its kin: dlsym calls malloc itself.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) { return fails("malloc") ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
    return fails("malloc") ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    return fails("malloc") ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return fails("malloc") ? nullptr : __libc_memalign(alignment, size);
}

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    const bool is_unnamed = (flags & O_TMPFILE) == O_TMPFILE;
    if (is_unnamed && lacks("unnamed")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return fails("open") ? -1 : next(open, "open")(path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t size) {
    // Standard error is not one of the files.
    const int error = file == STDERR_FILENO ? 0 : fault("write");
    if (error > 0) {
        errno = error;
        return -1;
    }
    const bool is_short = error == short_write;
    return next(write, "write")(file, bytes, is_short ? std::min<size_t>(size, 1) : size);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
    if (lacks("exchange")) {
        errno = EINVAL;
        return -1;
    }
    return fails("renameat2")
               ? -1
               : next(renameat2, "renameat2")(from_folder, from, to_folder, to, flags);
}

int link(const char* from, const char* to) {
    if (lacks("link")) {
        errno = EPERM;
        return -1;
    }
    return fails("link") ? -1 : next(link, "link")(from, to);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
    if (const int error = fault("pthread_create")) return error;
    return next(pthread_create, "pthread_create")(thread, attributes, run, argument);
}

#define MAY_FAIL(name, parameters, arguments) \
    int name parameters { return fails(#name) ? -1 : next(name, #name) arguments; }

MAY_FAIL(access, (const char* path, int mode), (path, mode))
MAY_FAIL(close, (int file), (file))
MAY_FAIL(dup, (int file) noexcept, (file))
MAY_FAIL(fallocate, (int file, int mode, off_t first, off_t size), (file, mode, first, size))
MAY_FAIL(fchmod, (int file, mode_t mode) noexcept, (file, mode))
MAY_FAIL(fchown, (int file, uid_t user, gid_t group) noexcept, (file, user, group))
MAY_FAIL(fdatasync, (int file), (file))
MAY_FAIL(flock, (int file, int operation) noexcept, (file, operation))
MAY_FAIL(fstatfs, (int file, struct statfs* status) noexcept, (file, status))
MAY_FAIL(fsync, (int file), (file))
MAY_FAIL(linkat, (int a, const char* from, int b, const char* to, int flags) noexcept,
         (a, from, b, to, flags))
MAY_FAIL(rename, (const char* from, const char* to) noexcept, (from, to))
MAY_FAIL(sync_file_range, (int file, off_t first, off_t size, unsigned flags),
         (file, first, size, flags))
MAY_FAIL(unlink, (const char* path) noexcept, (path))
}
