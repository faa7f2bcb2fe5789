#include "numerics/weighted_waves.h"

#include <cmath>
#include <utility>

#include "core/to_size.h"
#include "numerics/exact.h"
#include "numerics/floating_point.h"
#include "numerics/sinusoid.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

struct Waves {
    Positions positions;
    Frequencies frequencies;
    ChannelLayout layout;
    WaveWeights weights;
    DType dtype;

    double exact(std::int64_t row, std::size_t k, Function function) const {
        return ziv_loop(dtype, Midpoints::possible, [&]() -> Enclosure {
            const auto [wave, error] =
                enclosed_wave(function, frequencies.reals()[k] * positions[row]);
            const Real weight = weights.exact(row, k);
            return {wave * weight, error * weight + rounding_errors(weight)};
        });
    }

    /// Returns a double whose rounding to the dtype is the product, rounded once. `wave` is the
    /// correctly rounded one.
    double product(double wave, std::int64_t row, std::size_t k, Function function) const {
        const double weight = weights.near(row, k);
        if (weight == 0) return 0;
        const bool is_float64 = dtype == DType::float64;
        if (weight == 1 && is_float64) return wave;
        const double guess = weight * wave, error = 0x1p-40 * std::fabs(guess);
        // No guess in doubles decides how a double is rounded.
        const bool is_certain =
            !is_float64 && are_rounded_alike(guess - error, guess + error, dtype);
        return is_certain ? guess : exact(row, k, function);
    }

    void apply_to(std::int64_t row, std::span<double> channels) const {
        for (const ChannelRun& run : layout.runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                double& value = channels[to_size(run.first_channel + i * run.channel_stride)];
                const std::size_t k = to_size(run.first_frequency + i * run.frequency_stride);
                value = product(value, row, k, run.function);
            }
        }
    }
};

}  // namespace

RowSource weighted_waves(Positions positions, Frequencies frequencies, ChannelLayout layout,
                         WaveWeights weights, DType dtype) {
    const std::int64_t columns = layout.channels;
    RowSource unweighted = sinusoid_rows(positions, frequencies, layout, 1.0, DType::float64);
    return rounded(
        [=, waves = Waves{std::move(positions), std::move(frequencies), std::move(layout),
                          std::move(weights), dtype}](RowRange range, std::span<double> out) {
            unweighted(range, std::as_writable_bytes(out));
            const DefaultFloatingPoint arithmetic;
            for (std::int64_t i = 0; i < range.count; ++i) {
                waves.apply_to(range.first + i,
                               out.subspan(to_size(i * columns), to_size(columns)));
            }
        },
        columns, dtype);
}

}  // namespace pegen::numerics
