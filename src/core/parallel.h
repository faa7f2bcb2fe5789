#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace pegen {

/// The only interface to OpenMP. Results never depend on the number of threads. Work in these
/// threads reports its progress as the thread that started it does (core/progress.h), and computes
/// in IEEE 754's default arithmetic.

/// Returns the largest number of threads that the functions below use: OpenMP's maximum, but never
/// more than there are processors.
int thread_count();

/// Sets thread_count(), within the same limit. Must be called before any work starts.
void limit_threads(std::int64_t count);

/// A limit while the object lives: thread_count() of this thread is at most `count`, if one is
/// given.
class ThreadLimit {
  public:
    explicit ThreadLimit(std::optional<std::int64_t> count);
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;
    ~ThreadLimit();

  private:
    [[maybe_unused]] int before_;  // not with one thread
};

/// Calls body(0) ... body(count - 1), several at a time; they begin in order. If a body throws, no
/// further bodies start, and the exception of the first item that fails is rethrown here after the
/// running ones have ended.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t item)>& body);

/// Calls wait(0) ... wait(count - 1), which wait for something other than a processor, such as the
/// disk, many at a time, in any order, and whatever thread_count() is. `wait` must not throw.
void wait_for_all(std::int64_t count, const std::function<void(std::int64_t item)>& wait);

/// Runs a pipeline. make(item, worker) runs for several items at a time; take(item, worker) runs
/// for one at a time, in the order of the items, after the item's make and on the same worker.
/// Workers are numbered from 0 to thread_count() - 1, so each can keep its product in a place of
/// its own. At most thread_count() products exist at a time. If a function throws, every earlier
/// item is taken, no later one, and the exception of the first item that fails is rethrown here.
void parallel_in_order(std::int64_t count,
                       const std::function<void(std::int64_t item, int worker)>& make,
                       const std::function<void(std::int64_t item, int worker)>& take);

}  // namespace pegen
