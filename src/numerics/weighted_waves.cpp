#include "numerics/weighted_waves.h"

#include <cmath>
#include <utility>
#include <vector>

#include "numerics/exact.h"
#include "numerics/floating_point.h"
#include "numerics/plane_waves.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

struct Waves {
    Coordinates coordinates;
    Frequencies frequencies;
    ChannelLayout layout;
    WaveWeights weights;
    DType dtype;

    double exact(std::int64_t row, std::size_t k, Function function) const {
        return ziv_loop(dtype, Midpoints::possible, [&]() -> Enclosure {
            const auto [wave, error] =
                enclosed_wave(function, frequencies.reals()[k] * coordinates.at(row));
            const Real weight = weights.exact(row, k);
            return {wave * weight, error * weight + rounding_errors(weight)};
        });
    }

    /// Returns a double whose rounding to the dtype is the product, rounded once. `wave` is the
    /// correctly rounded wave, and `weight` a value of WaveWeights::near.
    double product(double wave, double weight, std::int64_t row, std::size_t k,
                   Function function) const {
        if (weight == 0) return 0;
        // Near values in doubles cannot decide how a value is rounded to float64.
        if (dtype == DType::float64) return weight == 1 ? wave : exact(row, k, function);
        const double guess = weight * wave, error = 0x1p-40 * std::fabs(guess);
        const double lower = guess - error, upper = guess + error;
        const bool is_certain = dtype == DType::float32
                                    ? static_cast<float>(lower) == static_cast<float>(upper)
                                    : are_rounded_alike(lower, upper, dtype);
        return is_certain ? guess : exact(row, k, function);
    }

    /// Multiplies the waves of a row by their weights.
    void apply_to(std::int64_t row, std::span<double> channels, std::span<double> near) const {
        weights.near(row, near);
        for (const ChannelRun& run : layout.runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                double& value = channels[run.first_channel + i * run.channel_stride];
                const std::size_t k = run.first_frequency + i * run.frequency_stride;
                value = product(value, near[k], row, k, run.function);
            }
        }
    }
};

}  // namespace

Rows weighted_waves(Coordinates coordinates, Frequencies frequencies, ChannelLayout layout,
                    WaveWeights weights, DType dtype) {
    const std::int64_t rows = coordinates.size(), columns = layout.channels;
    const Rows unweighted =
        plane_wave_rows({{{coordinates, 1}, frequencies}}, 1, layout, DType::float64);
    return rounded(
        {[=, waves = Waves{std::move(coordinates), std::move(frequencies), std::move(layout),
                           std::move(weights), dtype}](RowRange range, std::span<double> out) {
             unweighted(range, std::as_writable_bytes(out));
             const DefaultFloatingPoint arithmetic;
             std::vector<double> near(waves.frequencies.size());
             for (std::int64_t i = 0; i < range.count; ++i) {
                 const auto channels = out.subspan(i * columns, columns);
                 waves.apply_to(range.first + i, channels, near);
             }
         },
         rows, columns},
        dtype);
}

}  // namespace pegen::numerics
