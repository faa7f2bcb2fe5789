#include "numerics/real.h"

#include "pegen/numerics/rounding.h"

namespace pegen::numerics {

double for_rounding_to(DType dtype, const Real& value) {
    if (dtype == DType::float64) return mpfr_get_d(value.get(), MPFR_RNDN);
    const double truncated = mpfr_get_d(value.get(), MPFR_RNDZ);
    const bool is_exact = mpfr_cmp_d(value.get(), truncated) == 0;
    return round_to_odd(truncated, is_exact ? Rest::nothing : Rest::something);
}

}  // namespace pegen::numerics
