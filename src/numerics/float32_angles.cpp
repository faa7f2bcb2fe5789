#include "numerics/float32_angles.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/default_floating_point.h"
#include "numerics/rounding.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

float nearest_float(const std::function<Real()>& formula) {
    return static_cast<float>(ziv_loop(DType::float32, Midpoints::possible, formula));
}

/// Returns the value of the formula, correctly rounded. `guess` is the result of the C library, of
/// which only 40 bits are trusted; where they leave the rounding in doubt, MPFR decides.
template <class Formula>
float nearest_float(double guess, const Formula& formula) {
    const double error = 0x1p-40 * std::fabs(guess);
    const auto low = static_cast<float>(guess - error), high = static_cast<float>(guess + error);
    return low == high ? low : nearest_float(formula);
}

float wave(Function function, float angle) {
    const double wide = angle;
    return function == Function::sin
               ? nearest_float(std::sin(wide), [=] { return sin(Real(wide)); })
               : nearest_float(std::cos(wide), [=] { return cos(Real(wide)); });
}

/// Copies the values of a run into its channels of a row.
void place(const ChannelRun& run, std::span<const float> values, std::span<double> row) {
    for (std::int64_t i = 0; i < run.count; ++i) {
        row[run.first_channel + i * run.channel_stride] =
            values[run.first_frequency + i * run.frequency_stride];
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

/// Returns rows, each of which fill(angles of the row, row) fills.
template <class Fill>
Rows rows_of(Float32Angles angles, std::int64_t columns, DType dtype, Fill fill) {
    const std::int64_t rows = angles.rows;
    return rounded({[=, angles = std::move(angles), fill = std::move(fill)](RowRange range,
                                                                            std::span<double> out) {
                        const DefaultFloatingPoint arithmetic;
                        std::vector<float> of_row(angles.count);
                        for (std::int64_t i = 0; i < range.count; ++i) {
                            angles.fill(range.first + i, of_row);
                            fill(of_row, out.subspan(i * columns, columns));
                        }
                    },
                    rows, columns},
                   dtype);
}

/// Returns a function that returns the position of a row, rounded to float32.
auto narrow(const Positions& positions) {
    return [positions](std::int64_t row) { return static_cast<float>(positions[row]); };
}

std::vector<float> narrow(const Frequencies& numbers) {
    std::vector<float> result;
    for (const Real& number : numbers.reals()) {
        result.push_back(static_cast<float>(for_rounding_to(DType::float32, number)));
    }
    return result;
}

/// An axis with coordinates and weights rounded to float32.
struct NarrowAxis {
    WaveAxis axis;
    std::vector<float> weights;

    float coordinate(std::int64_t row) const {
        return static_cast<float>(
            axis.coordinates.for_rounding_to(DType::float32, axis.index(row)));
    }
};

}  // namespace

void round_all(std::span<float> numbers, DType format) {
    for (float& number : numbers) number = static_cast<float>(rounded(double{number}, format));
}

Float32Angles angle_products(const Positions& positions, std::vector<float> frequencies,
                             float factor, const RoundedSteps& steps) {
    const std::int64_t count = std::ssize(frequencies);
    return {positions.size(), count,
            [=, position = narrow(positions), frequencies = std::move(frequencies)](
                std::int64_t row, std::span<float> angles) {
                float start = position(row);
                if (steps.positions) round_all({&start, 1}, steps.format);
                const float scaled = start * factor;
                std::ranges::transform(frequencies, angles.begin(),
                                       [=](float w) { return scaled * w; });
                if (steps.angles) round_all(angles, steps.format);
            }};
}

Float32Angles angle_quotients(const Positions& positions, std::vector<float> divisors) {
    const std::int64_t count = std::ssize(divisors);
    return {positions.size(), count,
            [position = narrow(positions), divisors = std::move(divisors)](
                std::int64_t row, std::span<float> angles) {
                std::ranges::transform(divisors, angles.begin(),
                                       [p = position(row)](float divisor) { return p / divisor; });
            }};
}

Float32Angles projected_angles(std::vector<WaveAxis> axes, float factor) {
    const std::int64_t rows = points_of(axes);
    const auto narrow_axes = std::make_shared<std::vector<NarrowAxis>>();
    for (WaveAxis& axis : axes) {
        std::vector<float> weights = narrow(axis.weights);
        narrow_axes->push_back({std::move(axis), std::move(weights)});
    }
    const std::int64_t count = std::ssize(narrow_axes->front().weights);
    return {rows, count, [=](std::int64_t row, std::span<float> angles) {
                for (const NarrowAxis& axis : *narrow_axes) {
                    const bool is_first = &axis == &narrow_axes->front();
                    const float coordinate = axis.coordinate(row);
                    for (std::size_t k = 0; k < angles.size(); ++k) {
                        const float product = coordinate * axis.weights[k];
                        angles[k] = is_first ? product : angles[k] + product;
                    }
                }
                for (float& angle : angles) angle *= factor;
            }};
}

Float32Angles repeated_products(const Positions& positions, float ratio,
                                Interpolation interpolation) {
    const std::int64_t count = std::ssize(interpolation.divisors);
    return {positions.size(), count,
            [=, position = narrow(positions), how = std::move(interpolation)](
                std::int64_t row, std::span<float> angles) {
                float product = position(row);
                for (std::size_t m = 0; m < angles.size(); ++m) {
                    const float theta = product / how.divisors[m], scaled = how.scale * theta;
                    angles[m] = scaled * (1.0F - how.kept[m]) + theta * how.kept[m];
                    product *= ratio;
                }
            }};
}

Float32Angles with_negatives(Float32Angles angles) {
    const std::int64_t rows = angles.rows, count = 2 * angles.count;
    return {rows, count, [angles = std::move(angles)](std::int64_t row, std::span<float> out) {
                const auto positive = out.first(angles.count);
                angles.fill(row, positive);
                std::ranges::transform(positive, out.begin() + angles.count, std::negate());
            }};
}

Rows float32_wave_rows(Float32Angles angles, ChannelLayout layout, float scale, DType dtype) {
    const std::int64_t columns = layout.channels;
    return rows_of(
        std::move(angles), columns, dtype,
        [layout = std::move(layout), scale](std::span<const float> of_row, std::span<double> row) {
            std::ranges::fill(row, 0.0);
            for (const Function function : {Function::sin, Function::cos}) {
                fill_function(function, of_row, layout, scale, row);
            }
        });
}

Rows float32_angle_rows(Float32Angles angles, DType dtype) {
    const std::int64_t columns = angles.count;
    return rows_of(std::move(angles), columns, dtype,
                   [](std::span<const float> of_row, std::span<double> row) {
                       std::ranges::copy(of_row, row.begin());
                   });
}

float float32_pow(float base, float exponent) {
    return nearest_float(std::pow(double{base}, double{exponent}),
                         [=] { return pow(Real(base), Real(exponent)); });
}

float float32_exp(float exponent) {
    return nearest_float(std::exp(double{exponent}), [=] { return exp(Real(exponent)); });
}

}  // namespace pegen::numerics
