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

double wave_of_bits(Function function, int bits, double position, double base, double over,
                    double under) {
    Number wave;
    set_frequency(wave, base, over, under);
    mpfr_mul_d(wave.value, wave.value, position, MPFR_RNDN);
    function(wave.value, wave.value, MPFR_RNDN);
    mpfr_prec_round(wave.value, bits, MPFR_RNDN);
    return mpfr_get_d(wave.value, MPFR_RNDN);
}

}  // namespace

double frequency(double base, double over, double under) {
    Number result;
    set_frequency(result, base, over, under);
    return mpfr_get_d(result.value, MPFR_RNDN);
}

double sin_of_bits(int bits, double position, double base, double over, double under) {
    return wave_of_bits(mpfr_sin, bits, position, base, over, under);
}

double cos_of_bits(int bits, double position, double base, double over, double under) {
    return wave_of_bits(mpfr_cos, bits, position, base, over, under);
}

float sin_float(double position, double base, double over, double under) {
    return static_cast<float>(sin_of_bits(24, position, base, over, under));
}

float cos_float(double position, double base, double over, double under) {
    return static_cast<float>(cos_of_bits(24, position, base, over, under));
}

double sin_double(double position, double base, double over, double under) {
    return sin_of_bits(53, position, base, over, under);
}

double cos_double(double position, double base, double over, double under) {
    return cos_of_bits(53, position, base, over, under);
}

float quotient_float(double a, double b) {
    Number result;
    mpfr_set_d(result.value, a, MPFR_RNDN);
    mpfr_div_d(result.value, result.value, b, MPFR_RNDN);
    return mpfr_get_flt(result.value, MPFR_RNDN);
}

}  // namespace oracle
