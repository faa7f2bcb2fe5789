#include "core/parallel.h"

#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <latch>
#include <limits>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "core/default_floating_point.h"
#include "core/progress.h"

namespace pegen {
namespace {

/// The largest number of threads that have worked for this thread at the same time. OpenMP keeps
/// the threads that it has started for a thread.
thread_local int most_had = 1;

/// True in a forked process, which lacks the threads that OpenMP may have started: OpenMP would
/// wait for them.
std::atomic<bool> is_forked = false;

[[maybe_unused]] const int forks_are_watched =
    ::pthread_atfork(nullptr, nullptr, [] { is_forked = true; });

/// True if a variable of the environment configures an OpenMP run time: it may ask for stacks or
/// processors that do not exist.
bool is_set_up_by_environment() {
    for (char** variable = environ; *variable; ++variable) {
        const std::string_view text = *variable;
        for (const std::string_view prefix : {"OMP_", "GOMP_", "KMP_"}) {
            if (text.starts_with(prefix)) return true;
        }
    }
    return false;
}

/// True if the stack of this thread has room for everything that is computed on it.
bool has_large_stack() {
    constexpr std::size_t enough = std::size_t{256} << 10;
    std::size_t size = 0;
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return false;
    ::pthread_attr_getstacksize(&attributes, &size);
    ::pthread_attr_destroy(&attributes);
    return size >= enough;
}

/// True if OpenMP can start `workers` threads with large enough stacks. Tries this in a child
/// process, since the run time may end the process.
bool can_start_in_child(int workers) {
    const pid_t child = ::fork();
    if (child == 0) {
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        ::dup2(nowhere, STDERR_FILENO);
        // The run time ends the process by exit(), which would write the buffers of the parent.
        std::atexit([] { ::_exit(1); });
        std::atomic<bool> is_good = true;
        try {
            // OpenMP runs in a new thread: it may keep threads for the caller that are not in the
            // child.
            std::thread([&] {
#pragma omp parallel num_threads(workers)
                if (!has_large_stack()) is_good = false;
            }).join();
        } catch (const std::system_error&) {
            ::_exit(1);
        }
        ::_exit(is_good ? 0 : 1);
    }
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return false;
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Returns `workers`, or fewer if the system does not give that many threads. OpenMP's run time
/// ends the process when it cannot start a thread, so this function starts threads itself first.
int workers_to_be_had(int workers) {
    if (workers <= most_had || omp_in_parallel()) return workers;
    static const bool works_as_set_up =
        !is_set_up_by_environment() || can_start_in_child(thread_count());
    if (!works_as_set_up) return 1;
    int count = 1;
    std::latch all_tried(1);
    std::vector<std::thread> threads;
    try {
        threads.reserve(workers - 1);
        for (; count < workers; ++count) threads.emplace_back([&] { all_tried.wait(); });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
    all_tried.count_down();
    for (std::thread& thread : threads) thread.join();
    most_had = count;
    return count;
}

/// The exception of the first item that fails: items begin in order, so every item before it is
/// done.
class Failure {
  public:
    bool is_before(std::int64_t item) const { return item_ < item; }

    /// Takes the exception that is being handled.
    void add(std::int64_t item) {
        const std::lock_guard lock(mutex);
        if (item < item_) {
            exception_ = std::current_exception();
            item_ = item;
        }
        changed.notify_all();
    }

    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }

    // For work that waits: what it waits for is guarded and announced by the same two.
    std::mutex mutex;
    std::condition_variable changed;

  private:
    std::atomic<std::int64_t> item_ = std::numeric_limits<std::int64_t>::max();
    std::exception_ptr exception_;
};

int workers_for(std::int64_t count) {
    if (count <= 1 || is_forked) return 1;
    return workers_to_be_had(static_cast<int>(std::min<std::int64_t>(thread_count(), count)));
}

/// Calls body(item, worker) for items 0 to count - 1, until one fails. Rethrows what is in
/// `failure`.
void run_all(std::int64_t count, Failure& failure,
             const std::function<void(std::int64_t item, int worker)>& body) {
    const int workers = workers_for(count);
    std::atomic<std::int64_t> next = 0;
    const Reporting* const reporting = SharedReporting::of_this_thread();
#pragma omp parallel num_threads(workers) if (workers > 1)
    {
        const SharedReporting shared(reporting);
        const DefaultFloatingPoint arithmetic;
        for (std::int64_t item; !failure.is_before(count) && (item = next.fetch_add(1)) < count;) {
            try {
                body(item, omp_get_thread_num());
            } catch (...) {
                failure.add(item);
            }
        }
    }
    failure.rethrow();
}

}  // namespace

int thread_count() {
    static const int processors = omp_get_num_procs();  // each call asks the kernel
    return std::max(1, std::min(omp_get_max_threads(), processors));
}

void limit_threads(std::int64_t count) {
    omp_set_num_threads(static_cast<int>(std::clamp<std::int64_t>(count, 1, omp_get_num_procs())));
}

ThreadLimit::ThreadLimit(std::optional<std::int64_t> count) : before_(omp_get_max_threads()) {
    if (count) limit_threads(std::min<std::int64_t>(*count, before_));
}

ThreadLimit::~ThreadLimit() { omp_set_num_threads(before_); }

void parallel_in_order(std::int64_t count,
                       const std::function<void(std::int64_t item, int worker)>& make,
                       const std::function<void(std::int64_t item, int worker)>& take) {
    Failure failure;
    std::int64_t next_to_take = 0;
    run_all(count, failure, [&](std::int64_t item, int worker) {
        make(item, worker);
        std::unique_lock lock(failure.mutex);
        failure.changed.wait(lock, [&] { return next_to_take == item || failure.is_before(item); });
        if (failure.is_before(item)) return;
        lock.unlock();
        take(item, worker);
        lock.lock();
        ++next_to_take;
        failure.changed.notify_all();
    });
}

void parallel_for(std::int64_t count, const std::function<void(std::int64_t item)>& body) {
    Failure failure;
    run_all(count, failure, [&](std::int64_t item, int) { body(item); });
}

void wait_for_all(std::int64_t count, const std::function<void(std::int64_t item)>& wait) {
    constexpr std::int64_t most_threads = 16;
    std::atomic<std::int64_t> next = 0;
    const auto work = [&] {
        for (std::int64_t item; (item = next.fetch_add(1)) < count;) wait(item);
    };
    std::vector<std::thread> others;
    try {
        others.reserve(most_threads);
        while (std::ssize(others) + 1 < std::min(count, most_threads)) others.emplace_back(work);
    } catch (const std::system_error&) {  // the threads that there are do the work
    } catch (const std::bad_alloc&) {
    }
    work();
    for (std::thread& thread : others) thread.join();
}

}  // namespace pegen
