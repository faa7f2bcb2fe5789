#include "numerics/float32_angles.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/to_size.h"
#include "numerics/floating_point.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

float nearest_float(const std::function<Real()>& formula) {
    return static_cast<float>(ziv_loop(DType::float32, Midpoints::possible, formula));
}

/// Returns the function of an angle, correctly rounded. Of the C library only 40 bits are trusted;
/// where they leave a doubt about the rounding, MPFR decides.
float wave(Function function, float angle) {
    const bool is_sin = function == Function::sin;
    const double wide = angle;
    const double guess = is_sin ? std::sin(wide) : std::cos(wide);
    const double error = 0x1p-40 * std::fabs(guess);
    const auto low = static_cast<float>(guess - error), high = static_cast<float>(guess + error);
    if (low == high) return low;
    return nearest_float([=] { return is_sin ? sin(Real(wide)) : cos(Real(wide)); });
}

/// Copies the values of a run into its channels of a row.
void place(const ChannelRun& run, std::span<const float> values, std::span<double> row) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        row[to_size(run.first_channel + i * run.channel_stride)] =
            values[to_size(run.first_frequency + i * run.frequency_stride)];
    }
}

/// Sets the channels of a row that hold `function`.
void fill_function(Function function, std::span<const float> angles, const ChannelLayout& layout,
                   float scale, std::span<double> row) {
    const auto holds = [function](const ChannelRun& run) { return run.function == function; };
    if (std::ranges::none_of(layout.runs, holds)) return;
    std::vector<float> values;
    for (const float angle : angles) values.push_back(scale * wave(function, angle));
    for (const ChannelRun& run : layout.runs) {
        if (holds(run)) place(run, values, row);
    }
}

/// Returns rows of which each is filled by fill(angles of its position, row).
template <class Fill>
RowSource rows_of(Positions positions, Float32Angles angles, std::int64_t columns, DType dtype,
                  Fill fill) {
    return rounded(
        [=, positions = std::move(positions), angles = std::move(angles), fill = std::move(fill)](
            RowRange range, std::span<double> out) {
            const DefaultFloatingPoint arithmetic;
            std::vector<float> of_position(to_size(angles.count));
            for (std::int64_t i = 0; i < range.count; ++i) {
                angles.fill(static_cast<float>(positions[range.first + i]), of_position);
                fill(of_position, out.subspan(to_size(i * columns), to_size(columns)));
            }
        },
        columns, dtype);
}

}  // namespace

Float32Angles angle_products(std::vector<float> frequencies) {
    const std::int64_t count = std::ssize(frequencies);
    return {count, [frequencies = std::move(frequencies)](float position, std::span<float> angles) {
                std::ranges::transform(frequencies, angles.begin(),
                                       [position](float w) { return position * w; });
            }};
}

Float32Angles repeated_products(float ratio, Interpolation interpolation) {
    const std::int64_t count = std::ssize(interpolation.divisors);
    return {count, [=, how = std::move(interpolation)](float position, std::span<float> angles) {
                float product = position;
                for (std::size_t m = 0; m < angles.size(); ++m) {
                    const float theta = product / how.divisors[m], scaled = how.scale * theta;
                    angles[m] = scaled * (1.0F - how.kept[m]) + theta * how.kept[m];
                    product *= ratio;
                }
            }};
}

Float32Angles with_negatives(Float32Angles angles) {
    const std::int64_t count = 2 * angles.count;
    return {count, [angles = std::move(angles)](float position, std::span<float> out) {
                const auto positive = out.first(to_size(angles.count));
                angles.fill(position, positive);
                std::ranges::transform(positive, out.begin() + angles.count, std::negate());
            }};
}

RowSource float32_wave_rows(Positions positions, Float32Angles angles, ChannelLayout layout,
                            float scale, DType dtype) {
    const std::int64_t columns = layout.channels;
    return rows_of(std::move(positions), std::move(angles), columns, dtype,
                   [layout = std::move(layout), scale](std::span<const float> of_position,
                                                       std::span<double> row) {
                       std::ranges::fill(row, 0.0);
                       for (const Function function : {Function::sin, Function::cos}) {
                           fill_function(function, of_position, layout, scale, row);
                       }
                   });
}

RowSource float32_angle_rows(Positions positions, Float32Angles angles, DType dtype) {
    const std::int64_t columns = angles.count;
    return rows_of(std::move(positions), std::move(angles), columns, dtype,
                   [](std::span<const float> of_position, std::span<double> row) {
                       std::ranges::copy(of_position, row.begin());
                   });
}

float float32_pow(float base, float exponent) {
    return nearest_float([=] { return pow(Real(base), Real(exponent)); });
}

float float32_exp(float exponent) {
    return nearest_float([=] { return exp(Real(exponent)); });
}

}  // namespace pegen::numerics
