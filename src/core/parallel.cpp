#include "pegen/core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace pegen {
namespace {

/// Those this process may run on.
int processors() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// What OMP_NUM_THREADS says, if it says a number.
int wanted_threads() {
    const char* const variable = std::getenv("OMP_NUM_THREADS");
    const std::string_view text = variable ? variable : "";
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool is_number = error == std::errc() && end == text.data() + text.size() && count > 0;
    return is_number ? std::min(count, processors()) : processors();
}

std::atomic<int>& limit() {
    static std::atomic<int> threads = wanted_threads();
    return threads;
}

thread_local bool is_at_work = false;

/// Work inside of work has no threads of its own.
int workers_for(std::int64_t count) {
    return is_at_work ? 1 : static_cast<int>(std::min<std::int64_t>(thread_count(), count));
}

/// work(0) here and work(1) ... work(workers - 1) beside it: on fewer threads, even none, if the
/// system has no more. `work` throws nothing.
template <class Work>
void work_together(int workers, const Work& work) {
    std::vector<std::jthread> others;
    others.reserve(static_cast<std::size_t>(workers - 1));
    try {
        for (int worker = 1; worker < workers; ++worker) {
            others.emplace_back([&work, worker] {
                is_at_work = true;
                work(worker);
            });
        }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    is_at_work = true;
    work(0);
    is_at_work = false;
}

}  // namespace

int thread_count() { return limit(); }

void limit_threads(int count) { limit() = std::clamp(count, 1, processors()); }

void parallel_in_order(std::int64_t count,
                       const std::function<void(std::int64_t item, int worker)>& make,
                       const std::function<void(std::int64_t item, int worker)>& take) {
    const int workers = workers_for(count);
    if (workers <= 1) {
        for (std::int64_t item = 0; item < count; ++item) {
            make(item, 0);
            take(item, 0);
        }
        return;
    }
    std::atomic<std::int64_t> next_to_make = 0;
    std::mutex mutex;
    std::condition_variable turn;
    std::int64_t next_to_take = 0;
    std::exception_ptr failure;

    const auto work = [&](int worker) {
        for (;;) {
            const std::int64_t item = next_to_make.fetch_add(1);
            if (item >= count) return;
            make(item, worker);
            std::unique_lock lock(mutex);
            turn.wait(lock, [&] { return failure || next_to_take == item; });
            if (failure) return;
            lock.unlock();
            take(item, worker);
            lock.lock();
            ++next_to_take;
            turn.notify_all();
        }
    };
    work_together(workers, [&](int worker) {
        try {
            work(worker);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            turn.notify_all();
        }
    });
    if (failure) std::rethrow_exception(failure);
}

void parallel_for(std::int64_t count, const std::function<void(std::int64_t item)>& body) {
    const int workers = workers_for(count);
    if (workers <= 1) {
        for (std::int64_t item = 0; item < count; ++item) body(item);
        return;
    }
    std::atomic<std::int64_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    work_together(workers, [&](int) {
        try {
            for (std::int64_t item; !failed && (item = next.fetch_add(1)) < count;) body(item);
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    });
    if (failure) std::rethrow_exception(failure);
}

}  // namespace pegen
