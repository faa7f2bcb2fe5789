#pragma once

#include <mpfr.h>

#include <string>

#include "core/double_double.h"
#include "core/dtype.h"

namespace pegen::numerics {

/// A scope in which Reals of this thread are made with `bits` bits, instead of 320.
class Precision {
  public:
    explicit Precision(mpfr_prec_t bits) : before_(bits_) { bits_ = bits; }
    Precision(const Precision&) = delete;
    Precision& operator=(const Precision&) = delete;
    ~Precision() { bits_ = before_; }

    static constexpr mpfr_prec_t usual = 320;
    static mpfr_prec_t bits() { return bits_; }

  private:
    static inline thread_local mpfr_prec_t bits_ = usual;
    mpfr_prec_t before_;
};

/// An MPFR number. Formulas are written with it as with doubles; each operation rounds once, to the
/// bits of Precision.
class Real {
  public:
    Real();
    /// Converts without a cast: formulas mix the two.
    Real(double value) : Real() { mpfr_set_d(value_, value, MPFR_RNDN); }  // NOLINT
    /// Copies the number with all its bits.
    Real(const Real& other) {
        mpfr_init2(value_, mpfr_get_prec(other.value_));
        mpfr_set(value_, other.value_, MPFR_RNDN);
    }
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
Real abs(const Real& a);
bool operator<(const Real& a, const Real& b);
bool operator==(const Real& a, const Real& b);

Real exp(const Real& a);
Real log(const Real& a);
Real log1p(const Real& a);
Real log2(const Real& a);
Real sqrt(const Real& a);
Real pow(const Real& base, const Real& exponent);
Real erf(const Real& a);
Real floor(const Real& a);
Real ceil(const Real& a);
Real cos(const Real& a);
Real sin(const Real& a);
Real tanh(const Real& a);
Real atan(const Real& a);
Real pi();

/// Returns the names and versions of the libraries: "MPFR 4.2.0, GMP 6.2.1".
std::string libraries();

/// Returns the nearest double.
double nearest_double(const Real& value);

/// Returns the double-double nearest to the value.
DoubleDouble nearest_double_double(const Real& value);

/// Returns a double whose rounding to `dtype` is the value rounded once.
double for_rounding_to(DType dtype, const Real& value);

// Exact numbers as decimals.

/// Returns the decimal of `digits` significant digits that is nearest to the value, written as in
/// "0.70710678", "-123.45" and, where the first digit is far from the point, "6.1e-05" and
/// "1.5e+40"; "0", "inf", "-inf" or "nan". Precondition: digits > 1.
std::string decimal_text(const Real& value, int digits);

/// Returns the text of decimal_text() without zeros at the end: "0.5" and "1e+40" instead of
/// "0.50000" and "1.0000e+40".
std::string short_decimal_text(const Real& value, int digits);

/// True if the value equals its decimal of `digits` significant digits, or is the number of its
/// precision that is nearest to that decimal.
bool is_decimal(const Real& value, int digits);

/// Sets the function that MPFR calls when malloc fails: `end`, which must end the program, since
/// MPFR allows neither a return nor an exception there. Without this call MPFR aborts. Meant for
/// main.
void call_without_memory(void (*end)());

}  // namespace pegen::numerics
