#include "numerics/real_rows.h"

#include <cmath>
#include <utility>

#include "numerics/floating_point.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
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
