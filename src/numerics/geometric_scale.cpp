#include "numerics/geometric_scale.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/default_floating_point.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

/// A whole number that is never rounded: a product of up to 53 numbers of 53 bits.
class Whole {
  public:
    Whole() { mpfr_init2(value_, mpfr_prec_t{53} * 53); }
    Whole(const Whole&) = delete;
    Whole& operator=(const Whole&) = delete;
    ~Whole() { mpfr_clear(value_); }

    mpfr_ptr get() { return value_; }

  private:
    mpfr_t value_;
};

/// Sets `result` to a^m * b^n. Precondition: m + n is at most 53.
void set_product_of_powers(Whole& result, std::int64_t a, std::int64_t m, std::int64_t b,
                           std::int64_t n) {
    const auto set_power = [](Whole& power, std::int64_t base, std::int64_t exponent) {
        mpfr_set_sj(power.get(), base, MPFR_RNDN);  // a long may have 32 bits
        mpfr_pow_ui(power.get(), power.get(), static_cast<unsigned long>(exponent), MPFR_RNDN);
    };
    Whole factor;
    set_power(result, a, m);
    set_power(factor, b, n);
    mpfr_mul(result.get(), result.get(), factor.get(), MPFR_RNDN);
}

/// True if the value of step `step` is exactly `x`.
bool stands_at(const GeometricScale& scale, std::int64_t step, std::int64_t x) {
    const std::int64_t common = std::gcd(step, scale.steps);
    const std::int64_t k = step / common, n = scale.steps / common;
    // With k and n coprime, x is whole only if to / from is the n-th power of a fraction p / q in
    // lowest terms; then x = from * p^k / q^k. So p^n divides `to` and p^k divides x, and p is at
    // least 2.
    if (k > 53 || n > 53) return false;
    Whole left, right;
    set_product_of_powers(left, x, n, scale.from, std::max<std::int64_t>(k - n, 0));
    set_product_of_powers(right, scale.to, k, scale.from, std::max<std::int64_t>(n - k, 0));
    return mpfr_equal_p(left.get(), right.get()) != 0;
}

/// Returns log(a / b), correct to nearly the last bit also for a quotient near 1.
double log_of_quotient(std::int64_t a, std::int64_t b) {
    return std::log1p(static_cast<double>(a - b) / static_cast<double>(b));
}

Real exact_log_of_quotient(std::int64_t a, std::int64_t b) {
    return log1p(Real(static_cast<double>(a - b)) / static_cast<double>(b));
}

/// True if x is greater than the value of the step. Precondition: they are not equal.
bool is_behind(const GeometricScale& scale, std::int64_t step, std::int64_t x) {
    for (mpfr_prec_t bits = Precision::usual;; bits *= 2) {
        const Precision precision(bits);
        const Real of_x = static_cast<double>(scale.steps) * exact_log_of_quotient(x, scale.from);
        const Real of_step =
            static_cast<double>(step) * exact_log_of_quotient(scale.to, scale.from);
        const Real difference = of_x - of_step;
        if (rounding_errors(of_x + of_step) < abs(difference)) return 0.0 < difference;
    }
}

}  // namespace

StepsAround steps_around(const GeometricScale& scale, std::int64_t x) {
    const DefaultFloatingPoint arithmetic;
    const auto [from, to, steps] = scale;
    const double place =
        static_cast<double>(steps) * log_of_quotient(x, from) / log_of_quotient(to, from);
    const double nearest = std::round(place);
    // The two logarithms and operations are off by less than 2^-50 together.
    if (std::fabs(place - nearest) > std::max(place, 1.0) * 0x1p-45) {
        const auto before = static_cast<std::int64_t>(place);
        return {before, before + 1};
    }
    const auto step = static_cast<std::int64_t>(nearest);
    if (stands_at(scale, step, x)) return {step, step};
    return is_behind(scale, step, x) ? StepsAround{step, step + 1} : StepsAround{step - 1, step};
}

}  // namespace pegen::numerics
