#pragma once

#include <cfenv>

namespace pegen {

/// A guard: while it lives, this thread rounds to nearest, whatever its caller has set.
class RoundingToNearest {
  public:
    RoundingToNearest() : before_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
    RoundingToNearest(const RoundingToNearest&) = delete;
    RoundingToNearest& operator=(const RoundingToNearest&) = delete;
    ~RoundingToNearest() { std::fesetround(before_); }

  private:
    int before_;
};

}  // namespace pegen
