#include "orbits.h"

#include "number.h"

namespace exhaustive {

pegen::numerics::GeometricProgression near_orbit(int denominator, int exponent) {
    constexpr mpfr_prec_t bits = 600;
    constexpr double base = 1 + 0x1p-44;
    Number goal(bits), power(bits), log_base(bits);
    mpfr_const_pi(goal.get(), MPFR_RNDN);
    mpfr_mul_2si(goal.get(), goal.get(), exponent + 1, MPFR_RNDN);
    mpfr_div_si(goal.get(), goal.get(), denominator, MPFR_RNDN);
    // The goal is scale * base^-x, with x = 2 / (4 - shift).
    const double scale = mpfr_get_d(goal.get(), MPFR_RNDU);
    mpfr_d_div(power.get(), scale, goal.get(), MPFR_RNDN);
    mpfr_log(power.get(), power.get(), MPFR_RNDN);
    mpfr_set_d(log_base.get(), base, MPFR_RNDN);
    mpfr_log(log_base.get(), log_base.get(), MPFR_RNDN);
    // shift = 4 - 2 log(base) / log(scale / goal)
    mpfr_div(power.get(), log_base.get(), power.get(), MPFR_RNDN);
    mpfr_mul_si(power.get(), power.get(), -2, MPFR_RNDN);
    mpfr_add_si(power.get(), power.get(), 4, MPFR_RNDN);
    return {.base = base,
            .step = 2,
            .width = 4,
            .shift = mpfr_get_d(power.get(), MPFR_RNDN),
            .scale = scale,
            .count = 2};
}

}  // namespace exhaustive
