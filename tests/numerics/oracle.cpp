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

void set_frequency(Number& result, double base, double numerator, double denominator) {
    Number exponent;
    mpfr_set_d(exponent.value, -numerator, MPFR_RNDN);
    mpfr_div_d(exponent.value, exponent.value, denominator, MPFR_RNDN);
    mpfr_set_d(result.value, base, MPFR_RNDN);
    mpfr_pow(result.value, result.value, exponent.value, MPFR_RNDN);
}

using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

double wave_of_bits(Function function, int bits, double position, double base, double numerator,
                    double denominator) {
    Number wave;
    set_frequency(wave, base, numerator, denominator);
    mpfr_mul_d(wave.value, wave.value, position, MPFR_RNDN);
    function(wave.value, wave.value, MPFR_RNDN);
    mpfr_prec_round(wave.value, bits, MPFR_RNDN);
    return mpfr_get_d(wave.value, MPFR_RNDN);
}

}  // namespace

double frequency(double base, double numerator, double denominator) {
    Number result;
    set_frequency(result, base, numerator, denominator);
    return mpfr_get_d(result.value, MPFR_RNDN);
}

double sin_of_bits(int bits, double position, double base, double numerator, double denominator) {
    return wave_of_bits(mpfr_sin, bits, position, base, numerator, denominator);
}

double cos_of_bits(int bits, double position, double base, double numerator, double denominator) {
    return wave_of_bits(mpfr_cos, bits, position, base, numerator, denominator);
}

float sin_float(double position, double base, double numerator, double denominator) {
    return static_cast<float>(sin_of_bits(24, position, base, numerator, denominator));
}

float cos_float(double position, double base, double numerator, double denominator) {
    return static_cast<float>(cos_of_bits(24, position, base, numerator, denominator));
}

double sin_double(double position, double base, double numerator, double denominator) {
    return sin_of_bits(53, position, base, numerator, denominator);
}

double cos_double(double position, double base, double numerator, double denominator) {
    return cos_of_bits(53, position, base, numerator, denominator);
}

float quotient_float(double a, double b) {
    Number result;
    mpfr_set_d(result.value, a, MPFR_RNDN);
    mpfr_div_d(result.value, result.value, b, MPFR_RNDN);
    return mpfr_get_flt(result.value, MPFR_RNDN);
}

}  // namespace oracle
