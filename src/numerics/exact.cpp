#include "numerics/exact.h"

#include <algorithm>

#include "numerics/reals.h"
#include "pegen/core/parallel.h"

namespace pegen::numerics {
namespace {

/// A little more than a double-double holds.
constexpr mpfr_prec_t double_double_bits = 120;

}  // namespace

double exact_value(Function function, double position, const Real& frequency, double out_scale,
                   DType dtype) {
    Real value;
    mpfr_mul_d(value.get(), frequency.get(), position, MPFR_RNDN);
    (function == Function::sin ? mpfr_sin : mpfr_cos)(value.get(), value.get(), MPFR_RNDN);
    mpfr_mul_d(value.get(), value.get(), out_scale, MPFR_RNDN);
    return for_rounding_to(dtype, value);
}

Rotations exact_rotations(const Frequencies& frequencies, double position, int power_of_two) {
    const std::vector<Real>& reals = frequencies.reals().values;
    Rotations result(reals.size());
    // MPFR takes microseconds for each: blocks that are worth a thread's while.
    constexpr std::size_t block = 64;
    parallel_for(
        static_cast<std::int64_t>((reals.size() + block - 1) / block), [&](std::int64_t i) {
            const std::size_t first = static_cast<std::size_t>(i) * block;
            for (std::size_t k = first; k < std::min(first + block, reals.size()); ++k) {
                Real angle, sin, cos;
                for (Real* value : {&sin, &cos}) mpfr_set_prec(value->get(), double_double_bits);
                mpfr_mul_d(angle.get(), reals[k].get(), position, MPFR_RNDN);
                mpfr_mul_2si(angle.get(), angle.get(), power_of_two, MPFR_RNDN);
                mpfr_sin_cos(sin.get(), cos.get(), angle.get(), MPFR_RNDN);
                const DoubleDouble s = nearest_double_double(sin), c = nearest_double_double(cos);
                result.sin_high[k] = s.high;
                result.sin_low[k] = s.low;
                result.cos_high[k] = c.high;
                result.cos_low[k] = c.low;
            }
        });
    return result;
}

}  // namespace pegen::numerics
