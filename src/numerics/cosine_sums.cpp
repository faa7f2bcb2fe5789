#include "numerics/cosine_sums.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "core/dtype.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "numerics/exact.h"
#include "numerics/floating_point.h"
#include "numerics/rotations.h"
#include "numerics/rounding.h"

namespace pegen::numerics {
namespace {

struct CosineSums {
    Positions positions;
    Frequencies frequencies;
    std::vector<Ratio> scales;
    std::vector<DoubleDouble> nearest_scales;
    std::vector<DoubleDouble> sums;  ///< a sum for each position
    DType dtype;
};

DoubleDouble sum_of_cosines(const Rotations& rotations) {
    DoubleDouble total{0, 0};
    for (std::size_t k = 0; k < rotations.size(); ++k) {
        const DoubleDouble cos = rotations[k].cos;
        const DoubleDouble high = sum(total.high, cos.high);
        total = sum(high.high, high.low + (total.low + cos.low));
    }
    return total;
}

/// Returns a bound of the error of the sum of n cosines: 2^-92 for each cosine and, for each
/// addition, less than 2^-102 of a partial sum, which is at most n.
double error_of_sum(std::size_t n) {
    const auto count = static_cast<double>(n);
    return count * (0x1p-92 + count * 0x1p-102);
}

std::vector<DoubleDouble> sums_of(const Positions& positions, const Frequencies& frequencies) {
    const Ladder ladder(positions, frequencies);
    std::vector<DoubleDouble> sums(positions.size());
    std::atomic<std::int64_t> done = 0;
    constexpr std::int64_t block = 256;
    parallel_for((positions.size() + block - 1) / block, [&](std::int64_t i) {
        const std::int64_t end = std::min((i + 1) * block, positions.size());
        for (std::int64_t place = i * block; place < end; ++place) {
            report_work(10 * frequencies.size());
            sums[place] = sum_of_cosines(ladder.at(positions[place]));
        }
        report(done += end - i * block, positions.size());
    });
    return sums;
}

Enclosure enclose(const CosineSums& table, std::size_t row, std::int64_t column) {
    Real total = 0, total_error = 0;
    for (const Real& frequency : table.frequencies.reals()) {
        const auto [cos, error] = enclosed_wave(Function::cos, frequency * table.positions[column]);
        total = total + cos;
        total_error = total_error + error + rounding_errors(cos);
    }
    const auto [numerator, denominator] = table.scales[row];
    return {total * numerator / denominator, abs(total_error * numerator / denominator)};
}

template <class T>
T exact(const CosineSums& table, std::size_t row, std::int64_t column) {
    return round_to<T>(
        ziv_loop(table.dtype, Midpoints::possible, [&] { return enclose(table, row, column); }));
}

template <class T>
T value(const CosineSums& table, std::size_t row, std::int64_t column) {
    const std::size_t n = table.frequencies.size();
    const DoubleDouble scale = table.nearest_scales[row];
    const DoubleDouble near = product(table.sums[column], scale);
    // The scale and the product are off by less than 2^-101 of the value together.
    const double error =
        0x1.1p0 * std::fabs(scale.high) * (error_of_sum(n) + static_cast<double>(n) * 0x1p-101);
    const Rounded<T> rounded = round_certainly<T>(near, error);
    return rounded.is_certain ? rounded.value : exact<T>(table, row, column);
}

}  // namespace

Rows cosine_sum_rows(Positions positions, Frequencies frequencies, const std::vector<Ratio>& scales,
                     DType dtype) {
    const DefaultFloatingPoint arithmetic;
    std::vector<DoubleDouble> sums = sums_of(positions, frequencies);
    std::vector<DoubleDouble> nearest_scales;
    for (const auto& [numerator, denominator] : scales) {
        nearest_scales.push_back(nearest_double_double(Real(numerator) / denominator));
    }
    const auto table = std::make_shared<const CosineSums>(
        CosineSums{std::move(positions), std::move(frequencies), scales, std::move(nearest_scales),
                   std::move(sums), dtype});
    return floating_rows(
        std::ssize(scales), table->positions.size(), dtype,
        [table]<class T>(std::type_identity<T>, RowRange range, std::span<std::byte> out) {
            T* place = reinterpret_cast<T*>(out.data());
            for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
                for (std::int64_t i = 0; i < table->positions.size(); ++i) {
                    *place++ = value<T>(*table, row, i);
                }
            }
        });
}

}  // namespace pegen::numerics
