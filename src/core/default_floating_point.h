#pragma once

#include <cfenv>
#include <utility>

namespace pegen {

/// A scope with IEEE 754's default arithmetic in this thread: rounding to nearest, and subnormal
/// numbers kept. Its end restores what the calling program had set. Scopes within it cost nothing.
class DefaultFloatingPoint {
  public:
    DefaultFloatingPoint() : is_outermost_(!std::exchange(is_set, true)) {
        if (!is_outermost_) return;
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloatingPoint() {
        if (!is_outermost_) return;
        std::fesetenv(&saved_);
        is_set = false;
    }
    DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
    DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;

  private:
    inline static thread_local bool is_set = false;

    bool is_outermost_;
    std::fenv_t saved_;
};

}  // namespace pegen
