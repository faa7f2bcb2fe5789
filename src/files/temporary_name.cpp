#include "files/temporary_name.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace pegen {
namespace {

std::string temporary_name(const std::string& file) {
    std::uint64_t random = 0;
    // Without random bytes, only a run in another PID namespace can make the same name, and a name
    // that exists is not taken: files are created with O_EXCL or linkat.
    [[maybe_unused]] const int failure = ::getentropy(&random, sizeof random);
    constexpr std::size_t longest = 200;  // names have at most 255 bytes
    return fmt::format(".pe-gen-{}-{}-{:016x}", file.substr(0, longest), ::getpid(), random);
}

}  // namespace

TemporaryName::TemporaryName(int folder, const std::string& file)
    : place_{folder, temporary_name(file)}, removal_(remove, &place_) {}

TemporaryName::~TemporaryName() {
    if (is_ours_) remove(&place_);
}

void TemporaryName::remove(const void* place) {
    const auto& [folder, name] = *static_cast<const Place*>(place);
    ::unlinkat(folder, name.c_str(), 0);
}

NamedFile create_beside(int folder, const std::string& file,
                        const std::function<int(const char* name)>& create) {
    const PostponedSignals held;
    constexpr int most_tries = 100;
    for (int tries = 0; tries < most_tries; ++tries) {
        auto name = std::make_unique<TemporaryName>(folder, file);
        const int result = create(name->text().c_str());
        if (result >= 0) return {result, std::move(name)};
        name->release();
        if (errno != EEXIST) break;
    }
    return {-1, nullptr};
}

}  // namespace pegen
