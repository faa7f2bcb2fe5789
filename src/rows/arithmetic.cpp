#include "rows/arithmetic.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "core/clones.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "numerics/floating_point.h"
#include "rows/kept.h"

namespace pegen::rows {
namespace {

/// Returns the sum of f(value), by hand since each library adds in an order of its own:
/// (f0 + f1) + (f2 + f3) of four values to the sum before, then the values that are left.
template <class F>
double sum_of(std::span<const double> values, F f) {
    double sum = 0;
    std::size_t i = 0;
    for (; i + 4 <= values.size(); i += 4) {
        sum += (f(values[i]) + f(values[i + 1])) + (f(values[i + 2]) + f(values[i + 3]));
    }
    for (; i < values.size(); ++i) sum += f(values[i]);
    return sum;
}

/// Returns the sum of f(value) over all values. The table is cut into a fixed number of blocks, so
/// that the order of additions is the same for any number of threads.
template <class F>
double sum_of(const Rows& rows, F f, const std::function<void(std::int64_t rows)>& rows_are_read) {
    constexpr std::int64_t most_blocks = 4096;
    const std::int64_t blocks = std::min(rows.count(), most_blocks);
    std::vector<double> sums(blocks);
    parallel_for(blocks, [&](std::int64_t block) {
        std::vector<double> values(rows.columns());
        double& total = sums[block];
        std::int64_t count = 0;
        for (std::int64_t row = block; row < rows.count(); row += blocks, ++count) {
            rows({row, 1}, std::as_writable_bytes(std::span(values)));
            total += sum_of(std::span<const double>(values), f);
        }
        rows_are_read(count);
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Returns for each leading axis of `large` the number of rows of `small` from one index to the
/// next: 0 if `small` has the same rows for all indices.
std::vector<std::int64_t> row_strides(const Shape& small, const Shape& large) {
    const int leading = std::max(large.rank() - 1, 1);
    const int missing = large.rank() - small.rank();
    std::vector<std::int64_t> strides(leading);
    std::int64_t rows = 1;
    for (int axis = leading - 1; axis >= missing; --axis) {
        const std::int64_t extent = small[axis - missing];
        strides[axis] = extent == 1 ? 0 : rows;
        rows *= extent;
    }
    return strides;
}

std::int64_t row_of(const std::vector<std::int64_t>& index,
                    const std::vector<std::int64_t>& strides) {
    std::int64_t row = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) row += index[axis] * strides[axis];
    return row;
}

template <class T>
PEGEN_CLONES void add(const double* __restrict addend, std::size_t columns, T* __restrict row) {
    for (std::size_t i = 0; i < columns; ++i) row[i] = round_to<T>(widen(row[i]) + addend[i]);
}

/// Returns the sum in the dtype of `x`, which has the shape: the addend is added where the rows of
/// x have been read to.
Rows summed_in_place(const Rows& x, const Shape& shape, const Table& addend) {
    const auto kept = std::make_shared<const AxisTable>(as_float64(addend.rows));
    return rows_like(x, [=, strides = row_strides(addend.shape, shape)](RowRange range,
                                                                        std::span<std::byte> out) {
        if (out.empty()) return;
        x(range, out);
        AxisReader reader(*kept);
        const std::size_t columns = shape.columns();
        numerics::with_floating_type(x.dtype(), [&]<class T>(std::type_identity<T>) {
            T* place = reinterpret_cast<T*>(out.data());
            for (std::int64_t done = 0; done < range.count;) {
                // Along the innermost of the leading axes, the rows of the addend follow each
                // other, or stay the same.
                const std::vector<std::int64_t> index = index_of_row(shape, range.first + done);
                const std::int64_t run = std::min(
                    range.count - done, shape[static_cast<int>(index.size()) - 1] - index.back());
                const std::int64_t first = row_of(index, strides);
                for (std::int64_t i = 0; i < run; ++i, place += columns) {
                    const std::byte* terms = reader.row(first + i * strides.back(), run - i);
                    add(reinterpret_cast<const double*>(terms), columns, place);
                }
                done += run;
            }
        });
    });
}

}  // namespace

Rows as_float64(const Rows& rows) {
    if (rows.dtype() == DType::float64) return rows;
    RowSource source = [=](RowRange range, std::span<std::byte> out) {
        std::vector<std::byte> stored(range.count * rows.bytes_per_row());
        rows(range, stored);
        load(stored, rows.dtype(),
             {reinterpret_cast<double*>(out.data()), out.size() / sizeof(double)});
    };
    return {std::move(source), rows.count(), rows.columns(), DType::float64};
}

Rows rounded(const Rows& float64, DType dtype) {
    return pegen::rounded({[=](RowRange range, std::span<double> out) {
                               float64(range, std::as_writable_bytes(out));
                           },
                           float64.count(), float64.columns()},
                          dtype);
}

Rows standardized(const Rows& float64, double divisor, DType dtype) {
    const std::int64_t rows = float64.count(), columns = float64.columns();
    const auto size = static_cast<double>(rows) * static_cast<double>(columns);
    std::atomic<std::int64_t> done = 0;
    const auto rows_are_read = [&](std::int64_t count) { report(done += count, 2 * rows); };
    const double mean = sum_of(float64, std::identity(), rows_are_read) / size;
    const double squares = sum_of(
        float64, [=](double value) { return (value - mean) * (value - mean); }, rows_are_read);
    if (!(size > 1 && squares > 0)) {
        throw UsageError("--standardize: the table needs at least two values that differ");
    }
    const double deviation = std::sqrt(squares / (size - 1));
    return pegen::rounded({[=](RowRange range, std::span<double> out) {
                               float64(range, std::as_writable_bytes(out));
                               for (double& value : out) {
                                   value = (value - mean) / (divisor * deviation);
                               }
                           },
                           rows, columns},
                          dtype);
}

bool fits_into(const Shape& small, const Shape& large) {
    const int missing = large.rank() - small.rank();
    if (missing < 0 || small.rank() < std::min(large.rank(), 2)) return false;
    for (int axis = 0; axis < small.rank(); ++axis) {
        const bool is_last = axis == small.rank() - 1;
        const bool is_same = small[axis] == large[axis + missing];
        if (!is_same && (is_last || small[axis] != 1)) return false;
    }
    return true;
}

Rows sum(const Table& x, const Table& addend, DType dtype) {
    if (dtype == x.dtype) return summed_in_place(x.rows, x.shape, addend);
    return rounded(summed_in_place(as_float64(x.rows), x.shape, addend), dtype);
}

}  // namespace pegen::rows
