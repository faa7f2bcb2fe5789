#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pegen::http {

/// Threads that do one thing after another.
class Workers {
  public:
    using Work = std::function<void()>;

    explicit Workers(std::size_t threads);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    /// Waits for the work that has begun; the rest is not done.
    ~Workers();

    /// Adds something to do, which must not throw.
    void add(Work work);

    /// The number of things that wait for a thread.
    std::size_t waiting() const;

  private:
    void work();

    mutable std::mutex mutex_;
    std::condition_variable is_needed_;
    std::deque<Work> waiting_;
    bool is_ending_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace pegen::http
