#include "numerics/real.h"

#include <cmath>

#include "core/element.h"
#include "numerics/floating_point.h"
#include "numerics/floating_type.h"
#include "numerics/rounding.h"

namespace pegen::numerics {
namespace {

/// Calls an MPFR function.
template <class... Arguments>
Real result_of(auto* function, const Arguments&... arguments) {
    Real result;
    function(result.get(), arguments.get()..., MPFR_RNDN);
    return result;
}

/// Returns the rows of doubles decide(row, column), each rounded to `dtype`.
template <class Decide>
RowSource rows_of(Decide decide, std::int64_t columns, DType dtype) {
    return rounded(
        [=, decide = std::move(decide)](RowRange range, std::span<double> out) {
            const DefaultFloatingPoint arithmetic;
            for (std::size_t i = 0; i < out.size(); ++i) {
                const auto place = static_cast<std::int64_t>(i);
                out[i] = decide(range.first + place / columns, place % columns);
            }
        },
        columns, dtype);
}

/// True if all values less than `error` away from `guess` are rounded to the same.
bool is_certain(double guess, double error, DType dtype) {
    bool result = false;
    with_floating_type(dtype, [&]<class T>(std::type_identity<T>) {
        result = round_to<T>(guess - error) == round_to<T>(guess + error);
    });
    return result;
}

}  // namespace

Real operator+(const Real& a, const Real& b) { return result_of(mpfr_add, a, b); }
Real operator-(const Real& a, const Real& b) { return result_of(mpfr_sub, a, b); }
Real operator*(const Real& a, const Real& b) { return result_of(mpfr_mul, a, b); }
Real operator/(const Real& a, const Real& b) { return result_of(mpfr_div, a, b); }
Real operator-(const Real& a) { return result_of(mpfr_neg, a); }
bool operator<(const Real& a, const Real& b) { return mpfr_less_p(a.get(), b.get()) != 0; }
bool operator==(const Real& a, const Real& b) { return mpfr_equal_p(a.get(), b.get()) != 0; }

Real exp(const Real& a) { return result_of(mpfr_exp, a); }
Real log(const Real& a) { return result_of(mpfr_log, a); }
Real log2(const Real& a) { return result_of(mpfr_log2, a); }
Real sqrt(const Real& a) { return result_of(mpfr_sqrt, a); }
Real pow(const Real& base, const Real& exponent) { return result_of(mpfr_pow, base, exponent); }
Real floor(const Real& a) { return result_of(mpfr_rint_floor, a); }
Real ceil(const Real& a) { return result_of(mpfr_rint_ceil, a); }
Real cos(const Real& a) { return result_of(mpfr_cos, a); }
Real sin(const Real& a) { return result_of(mpfr_sin, a); }
Real pi() { return result_of(mpfr_const_pi); }

double nearest_double(const Real& value) { return mpfr_get_d(value.get(), MPFR_RNDN); }

RowSource real_rows(std::function<Real(std::int64_t row, std::int64_t column)> value,
                    std::int64_t columns, DType dtype) {
    return rows_of(
        [dtype, value = std::move(value)](std::int64_t row, std::int64_t column) {
            return for_rounding_to(dtype, value(row, column));
        },
        columns, dtype);
}

RowSource real_rows(std::function<Real(std::int64_t row, std::int64_t column)> value,
                    std::function<double(std::int64_t row, std::int64_t column)> near,
                    std::int64_t columns, DType dtype) {
    // No guess in doubles decides how a double is rounded.
    if (dtype == DType::float64) return real_rows(std::move(value), columns, dtype);
    return rows_of(
        [dtype, value = std::move(value), near = std::move(near)](std::int64_t row,
                                                                  std::int64_t column) {
            const double guess = near(row, column);
            return is_certain(guess, 0x1p-40 * std::fabs(guess), dtype)
                       ? guess
                       : for_rounding_to(dtype, value(row, column));
        },
        columns, dtype);
}

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
