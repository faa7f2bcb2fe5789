#pragma once

#include <mpfr.h>

#include <cstdint>

// Numbers of 700 bits by MPFR, with no code of the program.
namespace pegen::formulas {

class Exact {
  public:
    static constexpr mpfr_prec_t bits = 700;

    Exact(double value = 0) {  // NOLINT
        mpfr_init2(value_, bits);
        mpfr_set_d(value_, value, MPFR_RNDN);
    }
    Exact(const Exact& other) {
        mpfr_init2(value_, bits);
        mpfr_set(value_, other.value_, MPFR_RNDN);
    }
    Exact& operator=(const Exact& other) {
        mpfr_set(value_, other.value_, MPFR_RNDN);
        return *this;
    }
    ~Exact() { mpfr_clear(value_); }

    mpfr_srcptr get() const { return value_; }

    friend Exact operator+(const Exact& a, const Exact& b) { return of(mpfr_add, a, b); }
    friend Exact operator-(const Exact& a, const Exact& b) { return of(mpfr_sub, a, b); }
    friend Exact operator*(const Exact& a, const Exact& b) { return of(mpfr_mul, a, b); }
    friend Exact operator/(const Exact& a, const Exact& b) { return of(mpfr_div, a, b); }
    friend Exact operator-(const Exact& a) { return of(mpfr_neg, a); }
    friend Exact pow(const Exact& a, const Exact& b) { return of(mpfr_pow, a, b); }
    friend Exact sin(const Exact& a) { return of(mpfr_sin, a); }
    friend Exact cos(const Exact& a) { return of(mpfr_cos, a); }
    friend Exact sqrt(const Exact& a) { return of(mpfr_sqrt, a); }
    friend Exact exp(const Exact& a) { return of(mpfr_exp, a); }
    friend Exact log(const Exact& a) { return of(mpfr_log, a); }
    friend Exact log2(const Exact& a) { return of(mpfr_log2, a); }
    friend Exact floor(const Exact& a) { return of(mpfr_rint_floor, a); }
    friend Exact ceil(const Exact& a) { return of(mpfr_rint_ceil, a); }
    /// The nearest number of 600 bits: a midpoint of two floats, which a formula's own roundings
    /// have missed, is one again.
    friend Exact without_roundings(Exact a) {
        mpfr_prec_round(a.value_, bits - 100, MPFR_RNDN);
        return a;
    }
    friend bool operator<(const Exact& a, const Exact& b) {
        return mpfr_less_p(a.value_, b.value_);
    }

  private:
    template <class... Arguments>
    static Exact of(auto* function, const Arguments&... arguments) {
        Exact result;
        function(result.value_, arguments.value_..., MPFR_RNDN);
        return result;
    }

    mpfr_t value_;
};

// A number that was not made exact first would be computed in double.
void sin(double) = delete;
void cos(double) = delete;
void log(double) = delete;
void log2(double) = delete;
void sqrt(double) = delete;
void floor(double) = delete;
void ceil(double) = delete;
void pow(double, double) = delete;

}  // namespace pegen::formulas
