#include "oracle.h"

#include <mpfr.h>

namespace oracle {
namespace {

/// An MPFR number that clears itself.
struct Number {
    Number() { mpfr_init2(value, 400); }
    Number(const Number&) = delete;
    Number& operator=(const Number&) = delete;
    ~Number() { mpfr_clear(value); }
    mpfr_t value;
};

void set_frequency(Number& result, double base, double over, double under) {
    Number exponent;
    mpfr_set_d(exponent.value, -over, MPFR_RNDN);
    mpfr_div_d(exponent.value, exponent.value, under, MPFR_RNDN);
    mpfr_set_d(result.value, base, MPFR_RNDN);
    mpfr_pow(result.value, result.value, exponent.value, MPFR_RNDN);
}

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

void set_wave(Number& result, Function function, double position, double base, double over,
              double under) {
    set_frequency(result, base, over, under);
    mpfr_mul_d(result.value, result.value, position, MPFR_RNDN);
    function(result.value, result.value, MPFR_RNDN);
}

}  // namespace

double frequency(double base, double over, double under) {
    Number result;
    set_frequency(result, base, over, under);
    return mpfr_get_d(result.value, MPFR_RNDN);
}

float sin_float(double position, double base, double over, double under) {
    Number result;
    set_wave(result, mpfr_sin, position, base, over, under);
    return mpfr_get_flt(result.value, MPFR_RNDN);
}

float cos_float(double position, double base, double over, double under) {
    Number result;
    set_wave(result, mpfr_cos, position, base, over, under);
    return mpfr_get_flt(result.value, MPFR_RNDN);
}

double sin_double(double position, double base, double over, double under) {
    Number result;
    set_wave(result, mpfr_sin, position, base, over, under);
    return mpfr_get_d(result.value, MPFR_RNDN);
}

double cos_double(double position, double base, double over, double under) {
    Number result;
    set_wave(result, mpfr_cos, position, base, over, under);
    return mpfr_get_d(result.value, MPFR_RNDN);
}

double sin_of_bits(int bits, double position, double base, double over, double under) {
    Number result;
    set_wave(result, mpfr_sin, position, base, over, under);
    mpfr_prec_round(result.value, bits, MPFR_RNDN);
    return mpfr_get_d(result.value, MPFR_RNDN);
}

double cos_of_bits(int bits, double position, double base, double over, double under) {
    Number result;
    set_wave(result, mpfr_cos, position, base, over, under);
    mpfr_prec_round(result.value, bits, MPFR_RNDN);
    return mpfr_get_d(result.value, MPFR_RNDN);
}

float quotient_float(double a, double b) {
    Number result;
    mpfr_set_d(result.value, a, MPFR_RNDN);
    mpfr_div_d(result.value, result.value, b, MPFR_RNDN);
    return mpfr_get_flt(result.value, MPFR_RNDN);
}

}  // namespace oracle
