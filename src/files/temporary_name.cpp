#include "files/temporary_name.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "files/target.h"

namespace pegen {
namespace {

void remove(const char* path) { ::unlink(path); }

std::string temporary_name(const std::string& target, int number) {
    constexpr std::size_t longest = 200;  // names have at most 255 bytes
    const std::string file = target.substr(target.rfind('/') + 1);
    return fmt::format("{}/.pe-gen-{}-{}", folder_of(target), file.substr(0, longest), number);
}

int open_to_lock(const char* path) {
    return ::open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/// True if the name still belongs to the open file: another run may have removed or taken it
/// meanwhile.
bool is_name_of(const char* path, int descriptor) {
    struct stat named {};
    struct stat opened {};
    return ::lstat(path, &named) == 0 && ::fstat(descriptor, &opened) == 0 &&
           named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

/// Removes the name if nobody uses the file. Returns false if there is no such file.
bool remove_abandoned(const char* path) {
    const int descriptor = open_to_lock(path);
    if (descriptor < 0) return false;
    const bool is_abandoned =
        ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_name_of(path, descriptor);
    if (is_abandoned) remove(path);
    ::close(descriptor);
    return true;
}

}  // namespace

TemporaryName::TemporaryName(std::string path)
    : path_(std::move(path)), removal_(remove, path_.c_str()) {}

TemporaryName::~TemporaryName() {
    if (is_ours_) remove(path_.c_str());
}

void mark_as_used(int descriptor) { ::flock(descriptor, LOCK_EX | LOCK_NB); }

int open_in_use(const char* path) {
    const int descriptor = open_to_lock(path);
    if (descriptor >= 0) mark_as_used(descriptor);
    return descriptor;
}

void remove_abandoned_beside(const std::string& target) {
    int number = 1;
    while (remove_abandoned(temporary_name(target, number).c_str())) ++number;
}

NamedFile create_beside(const std::string& target,
                        const std::function<int(const char* name)>& create) {
    const PostponedSignals held;
    constexpr int most_tries = 10'000;
    for (int number = 1; number <= most_tries; ++number) {
        const std::string path = temporary_name(target, number);
        const bool is_free = ::access(path.c_str(), F_OK) < 0 && errno == ENOENT;
        if (!is_free) continue;  // rename would replace it silently
        auto name = std::make_unique<TemporaryName>(path);
        const int result = create(path.c_str());
        if (result >= 0) return {result, std::move(name)};
        name->release();
        if (errno != EEXIST) break;
    }
    return {-1, nullptr};
}

}  // namespace pegen
