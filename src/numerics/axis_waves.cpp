#include "numerics/axis_waves.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/default_floating_point.h"
#include "numerics/direct_waves.h"
#include "numerics/exact.h"
#include "numerics/plane_waves.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

/// Returns a double whose rounding to `dtype` is the exact value, rounded once.
double exact(const AxisWaves& axis, DType dtype, Function function, std::int64_t row,
             std::size_t k) {
    const auto angle = [&] { return axis.frequencies.reals()[k] * axis.coordinates.at(row); };
    if (!axis.weights) return exact_wave(function, angle, 1, dtype);
    return ziv_loop(dtype, Midpoints::possible, [&]() -> Enclosure {
        const auto& [shares, rates, variances] = *axis.weights;
        const auto [wave, error] = enclosed_wave(function, angle());
        const Real weight = shares.reals()[k] * exp(-(rates.reals()[k] * variances[row]));
        return {wave * weight, error * weight + rounding_errors(weight)};
    });
}

/// Waves with weights, one value after the other, for the axes and angles that joint_wave_rows()
/// leaves out.
struct Weighted {
    AxisWaves axis;
    DType dtype;
    std::vector<double> shares;
    std::vector<double> rates;

    Weighted(AxisWaves of_axis, DType of_rows)
        : axis(std::move(of_axis)),
          dtype(of_rows),
          shares(nearest_doubles(axis.weights->shares)),
          rates(nearest_doubles(axis.weights->rates)) {}

    /// Returns a weight that is off by at most 2^-41 of itself; 1 only if the exact weight is 1.
    double near_weight(std::int64_t row, std::size_t k) const {
        const double exponent = rates[k] * axis.weights->variances[row];
        if (exponent == 0 && axis.weights->shares.reals()[k] == Real(1)) return 1;
        return std::min(shares[k] * std::exp(-exponent), 1 - 0x1p-53);
    }

    /// Returns a double whose rounding to the dtype is the product, rounded once. `wave` is the
    /// wave as a double, correctly rounded.
    double product(double wave, std::int64_t row, std::size_t k, Function function) const {
        const double weight = near_weight(row, k);
        if (weight == 0) return 0;
        // Near values in doubles cannot decide how a value is rounded to float64.
        if (dtype == DType::float64) {
            return weight == 1 ? wave : exact(axis, dtype, function, row, k);
        }
        const double guess = weight * wave, error = 0x1p-40 * std::fabs(guess);
        return are_rounded_alike(guess - error, guess + error, dtype)
                   ? guess
                   : exact(axis, dtype, function, row, k);
    }

    /// Multiplies the waves of a row by their weights.
    void apply_to(std::int64_t row, std::span<double> channels) const {
        for (const ChannelRun& run : axis.layout.runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                double& value = channels[run.first_channel + i * run.channel_stride];
                const std::size_t k = run.first_frequency + i * run.frequency_stride;
                value = product(value, row, k, run.function);
            }
        }
    }
};

Rows plain_rows(const AxisWaves& axis, DType dtype) {
    return plane_wave_rows({{{axis.coordinates, 1}, axis.frequencies}}, 1, axis.layout, dtype);
}

Rows weighted_rows(AxisWaves axis, DType dtype) {
    const std::int64_t rows = axis.coordinates.size(), columns = axis.layout.channels;
    const Rows unweighted = plain_rows(axis, DType::float64);
    return rounded(
        {[=, waves = Weighted(std::move(axis), dtype)](RowRange range, std::span<double> out) {
             unweighted(range, std::as_writable_bytes(out));
             const DefaultFloatingPoint arithmetic;
             for (std::int64_t i = 0; i < range.count; ++i) {
                 waves.apply_to(range.first + i, out.subspan(i * columns, columns));
             }
         },
         rows, columns},
        dtype);
}

void append(SplitNumbers& all, const std::vector<Real>& numbers) {
    const auto [high, low] = split(numbers);
    all.high.insert(all.high.end(), high.begin(), high.end());
    all.low.insert(all.low.end(), low.begin(), low.end());
}

/// Adds the products of the positions and `numbers`, one for each wave.
void append(WaveProducts& products, const Positions& positions, const Frequencies& numbers) {
    products.positions.push_back({std::make_shared<const Positions>(positions), 1,
                                  static_cast<std::size_t>(numbers.size())});
    append(products.factors, numbers.reals());
}

/// Returns the angle of each wave per position.
Frequencies factors_of(const AxisWaves& axis) {
    return per_position({{axis.coordinates, 1}, axis.frequencies}, 1);
}

/// True if joint_wave_rows() can make the waves of the axis.
bool can_be_joined(const AxisWaves& axis) {
    const double largest = axis.coordinates.largest() * axis.frequencies.largest();
    const auto& [coordinates, frequencies, layout, weights] = axis;
    return !coordinates.has_origin() && is_direct(largest, 1) &&
           are_moderate(coordinates.positions(), factors_of(axis).reals()) &&
           (!weights || (are_moderate(weights->shares.reals()) &&
                         are_moderate(weights->variances, weights->rates.reals())));
}

}  // namespace

Rows axis_wave_rows(AxisWaves axis, DType dtype) {
    if (!axis.weights) return plain_rows(axis, dtype);
    if (std::optional<Rows> rows = joint_wave_rows({axis}, dtype)) return *rows;
    return weighted_rows(std::move(axis), dtype);
}

std::optional<Rows> joint_wave_rows(const std::vector<AxisWaves>& axes, DType dtype) {
    constexpr std::int64_t fewest_values = 1 << 13;
    const auto [coordinates, frequencies, layout, weights] = axes.front();
    const bool pays = weights || coordinates.size() * frequencies.size() >= fewest_values;
    if (!pays || !std::ranges::all_of(axes, can_be_joined)) return {};
    const auto shared = std::make_shared<const std::vector<AxisWaves>>(axes);
    DirectWaves waves{.summands = {{}}, .layout = {layout.channels, {}}, .exact = {}};
    if (weights) waves.weights.emplace();
    std::vector<std::pair<std::size_t, std::size_t>> places;  // the axis of each wave, and its k
    for (const AxisWaves& axis : axes) {
        for (ChannelRun run : axis.layout.runs) {
            run.first_frequency += std::ssize(places);
            waves.layout.runs.push_back(run);
        }
        for (std::int64_t k = 0; k < axis.frequencies.size(); ++k) {
            places.emplace_back(&axis - axes.data(), k);
        }
        append(waves.summands.front(), axis.coordinates.positions(), factors_of(axis));
        if (!weights) continue;
        append(waves.weights->exponents, axis.weights->variances, axis.weights->rates);
        append(waves.weights->shares, axis.weights->shares.reals());
    }
    waves.exact = [=, places = std::move(places)](Function function, std::int64_t row,
                                                  std::size_t wave) {
        const auto [axis, k] = places[wave];
        return exact((*shared)[axis], dtype, function, row, k);
    };
    return direct_wave_rows(std::move(waves), coordinates.size(), dtype);
}

}  // namespace pegen::numerics
