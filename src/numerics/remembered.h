#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace pegen::numerics {

/// A store of the results that were asked for last, by a key that holds all they depend on: the
/// tables of a sweep, such as tables of several lengths, need the same results. Threads may share
/// it.
template <class Value>
class Remembered {
  public:
    explicit Remembered(std::size_t most_bytes = std::size_t{16} << 20) : most_bytes_(most_bytes) {}

    std::optional<Value> find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(key);
        if (found == known_.end()) return {};
        return found->second;
    }

    /// Adds a value. Forgets all others if they have more than `most_bytes` together; does not keep
    /// a value of more than a sixteenth of it.
    void add(std::string key, const Value& value, std::size_t bytes_of_value) {
        const std::size_t bytes = key.size() + bytes_of_value;
        if (bytes > most_bytes_ / 16) return;
        const std::lock_guard lock(mutex_);
        if (bytes_ + bytes > most_bytes_) {
            known_.clear();
            bytes_ = 0;
        }
        if (known_.emplace(std::move(key), value).second) bytes_ += bytes;
    }

  private:
    std::size_t most_bytes_;
    std::mutex mutex_;  ///< guards the members below
    std::unordered_map<std::string, Value> known_;
    std::size_t bytes_ = 0;
};

/// Appends all bits of a number to a key.
template <class Number>
void append_to_key(std::string& key, const Number& number) {
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace pegen::numerics
