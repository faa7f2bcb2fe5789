#include "http/workers.h"

#include <utility>

namespace pegen::http {

Workers::Workers(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    is_needed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Workers::add(Work work) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(work));
    }
    is_needed_.notify_one();
}

std::size_t Workers::waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
}

void Workers::work() {
    while (true) {
        Work next;
        {
            std::unique_lock lock(mutex_);
            is_needed_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
            if (is_ending_) return;
            next = std::move(waiting_.front());
            waiting_.pop_front();
        }
        next();
    }
}

}  // namespace pegen::http
