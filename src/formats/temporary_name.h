#pragma once

#include <string>

#include "pegen/core/signals.h"

namespace pegen {

/// The name of a file that must not stay: it goes with the object, and before a signal that ends
/// the program.
class TemporaryName {
  public:
    explicit TemporaryName(std::string path);
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName();

    const std::string& path() const { return path_; }

    /// There is no such name any more, or it shall stay.
    void release() { is_ours_ = false; }

  private:
    std::string path_;
    BeforeSignal removal_;
    bool is_ours_ = true;
};

}  // namespace pegen
