#include "numerics/ziv_loop.h"

#include <cmath>
#include <optional>
#include <utility>

#include "core/dtype.h"
#include "numerics/floating_point.h"

namespace pegen::numerics {
namespace {

std::optional<double> rounded_if_certain(DType dtype, const Enclosure& enclosure) {
    const auto& [value, error] = enclosure;
    if (error == 0.0) return for_rounding_to(dtype, value);  // a sum would lose the sign of -0
    const double low = for_rounding_to(dtype, value - error);
    const double high = for_rounding_to(dtype, value + error);
    return are_rounded_alike(low, high, dtype) ? std::optional(high) : std::nullopt;
}

/// Returns the number of at most 128 bits that is nearest to the value; every midpoint is such a
/// number.
Real nearest_short_number(Real value) {
    mpfr_prec_round(value.get(), 128, MPFR_RNDN);
    return value;
}

}  // namespace

bool are_rounded_alike(double a, double b, DType dtype) {
    bool result = false;
    with_floating_type(dtype, [&]<class T>(std::type_identity<T>) {
        result = round_to<T>(a) == round_to<T>(b) && std::signbit(a) == std::signbit(b);
    });
    return result;
}

double ziv_loop(DType dtype, Midpoints midpoints, const std::function<Enclosure()>& enclose) {
    for (mpfr_prec_t bits = Precision::usual;; bits *= 4) {
        const Precision precision(bits);
        const Enclosure enclosure = enclose();
        if (const auto rounded = rounded_if_certain(dtype, enclosure)) return *rounded;
        if (midpoints == Midpoints::possible && bits >= most_bits_to_midpoint) {
            return for_rounding_to(dtype, nearest_short_number(enclosure.value));
        }
    }
}

double ziv_loop(DType dtype, Midpoints midpoints, const std::function<Real()>& formula) {
    return ziv_loop(dtype, midpoints, [&]() -> Enclosure {
        Real value = formula();
        Real error = rounding_errors(value);
        return {std::move(value), std::move(error)};
    });
}

Real rounding_errors(const Real& magnitude) {
    Real result = abs(magnitude);
    mpfr_div_2ui(result.get(), result.get(), static_cast<unsigned long>(Precision::bits()) - 40,
                 MPFR_RNDU);
    return result;
}

namespace {

/// Returns the rows of doubles decide(row, column), each rounded to `dtype`.
template <class Decide>
Rows rows_of(Decide decide, std::int64_t rows, std::int64_t columns, DType dtype) {
    return rounded({[=, decide = std::move(decide)](RowRange range, std::span<double> out) {
                        const DefaultFloatingPoint arithmetic;
                        for (std::size_t i = 0; i < out.size(); ++i) {
                            const auto place = static_cast<std::int64_t>(i);
                            out[i] = decide(range.first + place / columns, place % columns);
                        }
                    },
                    rows, columns},
                   dtype);
}

}  // namespace

Rows real_rows(RealFormula value, std::int64_t rows, std::int64_t columns, DType dtype) {
    return rows_of(
        [dtype, value = std::move(value)](std::int64_t row, std::int64_t column) {
            return ziv_loop(dtype, Midpoints::possible, [&] { return value(row, column); });
        },
        rows, columns, dtype);
}

Rows real_rows(RealFormula value, std::function<double(std::int64_t row, std::int64_t column)> near,
               std::int64_t rows, std::int64_t columns, DType dtype) {
    // Near values in doubles cannot decide how a value is rounded to float64.
    if (dtype == DType::float64) return real_rows(std::move(value), rows, columns, dtype);
    return rows_of(
        [dtype, value = std::move(value), near = std::move(near)](std::int64_t row,
                                                                  std::int64_t column) {
            const double guess = near(row, column), error = 0x1p-40 * std::fabs(guess);
            return are_rounded_alike(guess - error, guess + error, dtype)
                       ? guess
                       : ziv_loop(dtype, Midpoints::possible, [&] { return value(row, column); });
        },
        rows, columns, dtype);
}

}  // namespace pegen::numerics
