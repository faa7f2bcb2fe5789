#include "numerics/real.h"

#include <fmt/format.h>
#include <gmp.h>

#include "core/progress.h"
#include "numerics/rounding.h"

namespace pegen::numerics {
namespace {

/// An object that, at the end of a thread, frees what MPFR keeps for it: constants and memory to
/// use again.
struct ThreadCaches {
    ~ThreadCaches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

/// Return about how many operations on doubles take as long as one operation of MPFR: an arithmetic
/// one, or a transcendental function.
std::int64_t cost() { return Precision::bits() / 32; }
std::int64_t cost_of_function() { return 64 * cost(); }

/// Calls an MPFR function.
template <class... Arguments>
Real result_of(std::int64_t cost, auto* function, const Arguments&... arguments) {
    report_work(cost);
    Real result;
    function(result.get(), arguments.get()..., MPFR_RNDN);
    return result;
}

}  // namespace

Real::Real() {
    static thread_local const ThreadCaches caches;
    mpfr_init2(value_, Precision::bits());
}

Real operator+(const Real& a, const Real& b) { return result_of(cost(), mpfr_add, a, b); }
Real operator-(const Real& a, const Real& b) { return result_of(cost(), mpfr_sub, a, b); }
Real operator*(const Real& a, const Real& b) { return result_of(cost(), mpfr_mul, a, b); }
Real operator/(const Real& a, const Real& b) { return result_of(cost(), mpfr_div, a, b); }
Real operator-(const Real& a) { return result_of(cost(), mpfr_neg, a); }
Real abs(const Real& a) { return result_of(cost(), mpfr_abs, a); }
bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.get(), b.get()) != 0; }
bool operator==(const Real& a, const Real& b) { return mpfr_equal_p(a.get(), b.get()) != 0; }

Real exp(const Real& a) { return result_of(cost_of_function(), mpfr_exp, a); }
Real log(const Real& a) { return result_of(cost_of_function(), mpfr_log, a); }
Real log1p(const Real& a) { return result_of(cost_of_function(), mpfr_log1p, a); }
Real log2(const Real& a) { return result_of(cost_of_function(), mpfr_log2, a); }
Real sqrt(const Real& a) { return result_of(cost_of_function(), mpfr_sqrt, a); }
Real pow(const Real& base, const Real& exponent) {
    return result_of(cost_of_function(), mpfr_pow, base, exponent);
}
Real erf(const Real& a) { return result_of(cost_of_function(), mpfr_erf, a); }
Real floor(const Real& a) { return result_of(cost(), mpfr_rint_floor, a); }
Real ceil(const Real& a) { return result_of(cost(), mpfr_rint_ceil, a); }
Real cos(const Real& a) { return result_of(cost_of_function(), mpfr_cos, a); }
Real sin(const Real& a) { return result_of(cost_of_function(), mpfr_sin, a); }
Real tanh(const Real& a) { return result_of(cost_of_function(), mpfr_tanh, a); }
Real atan(const Real& a) { return result_of(cost_of_function(), mpfr_atan, a); }
Real pi() { return result_of(cost_of_function(), mpfr_const_pi); }

std::string libraries() { return fmt::format("MPFR {}, GMP {}", mpfr_get_version(), gmp_version); }

double nearest_double(const Real& value) { return mpfr_get_d(value.get(), MPFR_RNDN); }

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
