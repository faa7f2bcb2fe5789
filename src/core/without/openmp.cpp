#include "core/parallel.h"

// Replaces src/core/parallel.cpp in a build of one thread.
namespace pegen {

int thread_count() { return 1; }

void limit_threads(std::int64_t) {}

ThreadLimit::ThreadLimit(std::optional<std::int64_t>) : before_(1) {}

ThreadLimit::~ThreadLimit() = default;

void parallel_in_order(std::int64_t count,
                       const std::function<void(std::int64_t item, int worker)>& make,
                       const std::function<void(std::int64_t item, int worker)>& take) {
    for (std::int64_t item = 0; item < count; ++item) {
        make(item, 0);
        take(item, 0);
    }
}

void wait_for_all(std::int64_t count, const std::function<void(std::int64_t item)>& wait) {
    for (std::int64_t item = 0; item < count; ++item) wait(item);
}

void parallel_for(std::int64_t count, const std::function<void(std::int64_t item)>& body) {
    for (std::int64_t item = 0; item < count; ++item) body(item);
}

}  // namespace pegen
