#pragma once

#include <mpfr.h>

#include <cstdint>
#include <functional>
#include <utility>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/double_double.h"

namespace pegen::numerics {

/// An MPFR number of 320 bits, of which 300 are right even after a million products. Formulas are
/// written with it as with doubles; each operation rounds once to 320 bits.
class Real {
  public:
    static constexpr mpfr_prec_t precision = 320;

    Real() { mpfr_init2(value_, precision); }
    /// Converts without a cast: formulas mix the two.
    Real(double value) : Real() { mpfr_set_d(value_, value, MPFR_RNDN); }  // NOLINT
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

Real operator+(const Real& a, const Real& b);
Real operator-(const Real& a, const Real& b);
Real operator*(const Real& a, const Real& b);
Real operator/(const Real& a, const Real& b);
Real operator-(const Real& a);
bool operator<(const Real& a, const Real& b);
bool operator==(const Real& a, const Real& b);

Real exp(const Real& a);
Real log(const Real& a);
Real log2(const Real& a);
Real sqrt(const Real& a);
Real pow(const Real& base, const Real& exponent);
Real floor(const Real& a);
Real ceil(const Real& a);
Real cos(const Real& a);
Real sin(const Real& a);
Real pi();

/// Returns the nearest double.
double nearest_double(const Real& value);

/// Returns the rows of  table[row, column] = value(row, column), each rounded once to `dtype`.
/// Takes microseconds for each value. `value` must be pure.
RowSource real_rows(std::function<Real(std::int64_t row, std::int64_t column)> value,
                    std::int64_t columns, DType dtype);

/// Returns the same rows, in nanoseconds for each value of a dtype narrower than float64.
/// near(row, column) is value(row, column) in plain doubles, off by at most 2^-40 of itself:
/// `value` is asked only where that leaves a doubt about the rounding.
RowSource real_rows(std::function<Real(std::int64_t row, std::int64_t column)> value,
                    std::function<double(std::int64_t row, std::int64_t column)> near,
                    std::int64_t columns, DType dtype);

/// Returns the double-double nearest to the value.
DoubleDouble nearest_double_double(const Real& value);

/// Returns a double whose rounding to `dtype` is the value rounded once.
double for_rounding_to(DType dtype, const Real& value);

}  // namespace pegen::numerics
