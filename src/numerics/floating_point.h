#pragma once

#include <cfenv>

namespace pegen::numerics {

/// While it lives, arithmetic is IEEE 754's default: rounded to nearest, subnormal numbers kept.
/// A program that uses this library may have set something else.
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
