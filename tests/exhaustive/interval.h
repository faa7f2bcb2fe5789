#pragma once

#include <mpfi.h>

namespace exhaustive {

/// An interval that surely holds the exact result of the operations that made it, by MPFI.
class Interval {
  public:
    static constexpr mpfr_prec_t bits = 512;

    Interval() { mpfi_init2(value_, bits); }
    Interval(double value) : Interval() { mpfi_set_d(value_, value); }  // NOLINT
    Interval(const Interval& other) : Interval() { mpfi_set(value_, other.value_); }
    Interval& operator=(const Interval& other) {
        mpfi_set(value_, other.value_);
        return *this;
    }
    ~Interval() { mpfi_clear(value_); }

    /// Returns a double that no |number| of the interval exceeds.
    double most() const {
        mpfr_t most;
        mpfr_init2(most, bits);
        mpfi_mag(most, value_);
        const double result = mpfr_get_d(most, MPFR_RNDU);
        mpfr_clear(most);
        return result;
    }

    friend Interval operator+(const Interval& a, const Interval& b) { return of(mpfi_add, a, b); }
    friend Interval operator-(const Interval& a, const Interval& b) { return of(mpfi_sub, a, b); }
    friend Interval operator*(const Interval& a, const Interval& b) { return of(mpfi_mul, a, b); }
    friend Interval operator/(const Interval& a, const Interval& b) { return of(mpfi_div, a, b); }
    friend Interval exp(const Interval& a) { return of(mpfi_exp, a); }
    friend Interval log(const Interval& a) { return of(mpfi_log, a); }
    friend Interval sin(const Interval& a) { return of(mpfi_sin, a); }
    friend Interval cos(const Interval& a) { return of(mpfi_cos, a); }
    friend Interval square(const Interval& a) { return of(mpfi_sqr, a); }
    friend Interval sqrt(const Interval& a) { return of(mpfi_sqrt, a); }

  private:
    template <class... Arguments>
    static Interval of(auto* function, const Arguments&... arguments) {
        Interval result;
        function(result.value_, arguments.value_...);
        return result;
    }

    mpfi_t value_;
};

}  // namespace exhaustive
