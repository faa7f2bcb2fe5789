#pragma once

#include <unistd.h>

#include <utility>

namespace pegen {

/// The number of an open file, which is closed with the object; negative if there is no file.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (is_open()) ::close(number_);
    }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

    /// Returns the number and leaves it to the caller to close the file.
    int release() { return std::exchange(number_, -1); }

  private:
    int number_;
};

}  // namespace pegen
