#pragma once

#include <mpfr.h>

#include <utility>

#include "core/dtype.h"
#include "numerics/double_double.h"

namespace pegen::numerics {

/// An MPFR number of 320 bits, of which 300 are right even after a million products.
class Real {
  public:
    static constexpr mpfr_prec_t precision = 320;

    Real() { mpfr_init2(value_, precision); }
    explicit Real(double value) : Real() { mpfr_set_d(value_, value, MPFR_RNDN); }
    Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
    Real(Real&& other) noexcept : Real() { mpfr_swap(value_, other.value_); }
    Real& operator=(Real other) noexcept {
        mpfr_swap(value_, other.value_);
        return *this;
    }
    ~Real() { mpfr_clear(value_); }

    mpfr_ptr get() { return value_; }
    mpfr_srcptr get() const { return value_; }

  private:
    mpfr_t value_;
};

/// Returns the double-double nearest to the value.
DoubleDouble nearest_double_double(const Real& value);

/// Returns a double whose rounding to `dtype` is the value rounded once.
double for_rounding_to(DType dtype, const Real& value);

}  // namespace pegen::numerics
