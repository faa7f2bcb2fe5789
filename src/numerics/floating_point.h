#pragma once

#include <cfenv>

namespace pegen::numerics {

/// A scope with IEEE 754's default arithmetic: rounding to nearest, and subnormal numbers kept. Its
/// end restores what the calling program had set.
class DefaultFloatingPoint {
  public:
    DefaultFloatingPoint() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloatingPoint() { std::fesetenv(&saved_); }
    DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
    DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;

  private:
    std::fenv_t saved_;
};

}  // namespace pegen::numerics
