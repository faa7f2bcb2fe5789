#pragma once

#include <cstdint>
#include <functional>

namespace pegen {

/// The one door to OpenMP. Results never depend on the number of threads.

/// How many threads the functions below use at most: what OpenMP says, never more than processors.
int thread_count();

/// Sets thread_count(), within the same limit. Call before any work starts.
void limit_threads(int count);

/// Calls body(0) ... body(count - 1), several at a time, in any order.
/// What a body throws first is thrown here after the bodies under way have ended.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t item)>& body);

/// A pipeline: make(item, worker) runs several at a time; take(item, worker) runs one at a time, in
/// the order of the items, after its make and on the same worker. 0 <= worker < thread_count(), so
/// a product may be kept in one place per worker. At most thread_count() products exist at a time.
/// What is thrown first is thrown here; no take of a later item has run then.
void parallel_in_order(std::int64_t count,
                       const std::function<void(std::int64_t item, int worker)>& make,
                       const std::function<void(std::int64_t item, int worker)>& take);

}  // namespace pegen
