#include "rows/standardize.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/parallel.h"
#include "core/reporting.h"

namespace pegen::rows {
namespace {

/// Returns the sum of f(value) over all values. The table is cut into a fixed number of blocks, so
/// that the order of additions is the same for any number of threads.
template <class F>
double sum(const RowSource& source, std::int64_t rows, std::int64_t columns, F f,
           const std::function<void(std::int64_t rows)>& rows_are_read) {
    constexpr std::int64_t most_blocks = 4096;
    const std::int64_t blocks = std::min(rows, most_blocks);
    std::vector<double> sums(static_cast<std::size_t>(blocks));
    parallel_for(blocks, [&](std::int64_t block) {
        std::vector<double> values(static_cast<std::size_t>(columns));
        double& total = sums[static_cast<std::size_t>(block)];
        std::int64_t count = 0;
        for (std::int64_t row = block; row < rows; row += blocks, ++count) {
            source({row, 1}, std::as_writable_bytes(std::span(values)));
            total += std::transform_reduce(values.begin(), values.end(), 0.0, std::plus<>(), f);
        }
        rows_are_read(count);
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

RowSource standardized(RowSource source, std::int64_t rows, std::int64_t columns, double divisor,
                       DType dtype) {
    const auto size = static_cast<double>(rows) * static_cast<double>(columns);
    std::atomic<std::int64_t> done = 0;
    const auto rows_are_read = [&](std::int64_t count) { report(done += count, 2 * rows); };
    const double mean = sum(source, rows, columns, std::identity(), rows_are_read) / size;
    const double squares = sum(
        source, rows, columns, [=](double value) { return (value - mean) * (value - mean); },
        rows_are_read);
    if (!(size > 1 && squares > 0)) {
        throw UsageError("--standardize: the table needs at least two values that differ");
    }
    const double deviation = std::sqrt(squares / (size - 1));
    return rounded(
        [=, source = std::move(source)](RowRange range, std::span<double> out) {
            source(range, std::as_writable_bytes(out));
            for (double& value : out) value = (value - mean) / (divisor * deviation);
        },
        columns, dtype);
}

}  // namespace pegen::rows
