#include "numerics/real.h"

#include "numerics/rounding.h"

namespace pegen::numerics {

DoubleDouble nearest_double_double(const Real& value) {
    const double high = mpfr_get_d(value.get(), MPFR_RNDN);
    Real rest;
    mpfr_sub_d(rest.get(), value.get(), high, MPFR_RNDN);
    return {high, mpfr_get_d(rest.get(), MPFR_RNDN)};
}

double for_rounding_to(DType dtype, const Real& value) {
    if (dtype == DType::float64) return mpfr_get_d(value.get(), MPFR_RNDN);
    const double truncated = mpfr_get_d(value.get(), MPFR_RNDZ);
    const bool is_exact = mpfr_cmp_d(value.get(), truncated) == 0;
    return round_to_odd(truncated, is_exact ? Rest::nothing : Rest::something);
}

}  // namespace pegen::numerics
