#pragma once

#include <mpfr.h>

namespace exhaustive {

/// An MPFR number that clears itself.
class Number {
  public:
    explicit Number(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
    Number(Number&& other) noexcept : Number(MPFR_PREC_MIN) { mpfr_swap(value_, other.value_); }
    Number& operator=(Number&& other) noexcept {
        mpfr_swap(value_, other.value_);
        return *this;
    }
    ~Number() { mpfr_clear(value_); }

    mpfr_ptr get() { return value_; }
    mpfr_srcptr get() const { return value_; }

  private:
    mpfr_t value_;
};

}  // namespace exhaustive
