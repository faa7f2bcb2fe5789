#include "numerics/direct_waves.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/clones.h"
#include "core/element.h"
#include "numerics/floating_rows.h"

namespace pegen::numerics {
namespace {

/// The number of parts into which a turn is divided; the table has the sine of each.
constexpr int parts = 128;
constexpr int quarter = parts / 4;

using SineTable = std::array<double, parts>;

const SineTable& sine_table() {
    static const SineTable table = [] {
        SineTable sines;
        for (int i = 0; i < parts; ++i) {
            const bool is_zero = i % (parts / 2) == 0;
            const Real angle = pi() * (2.0 * i) / parts;
            sines[i] = is_zero ? 0 : nearest_double(sin(angle));
        }
        return sines;
    }();
    return table;
}

/// The angles of a row and the results computed from them, with an element for each frequency.
struct Scratch {
    std::vector<double> high;       ///< the high half of the angle
    std::vector<double> low;        ///< the low half, not normalized
    std::vector<double> magnitude;  ///< the sum of the summands' magnitudes
    std::vector<double> sines, cosines;
    std::vector<double> sine_errors, cosine_errors;  ///< bounds

    explicit Scratch(std::size_t count)
        : high(count),
          low(count),
          magnitude(count),
          sines(count),
          cosines(count),
          sine_errors(count),
          cosine_errors(count, 0x1p-51) {}
};

/// Types of arrays that do not overlap each other, so that the compiler may compute many elements
/// at once.
using In = const double* __restrict;
using Out = double* __restrict;

/// Adds x * frequency to each angle. Error: at most 2^-98 of the magnitude, for 16 axes.
PEGEN_CLONES void add_products(double x, In frequency_high, In frequency_low, std::size_t count,
                               Out high, Out low, Out magnitude) {
    for (std::size_t k = 0; k < count; ++k) {
        const double product = x * frequency_high[k];
        const double rest = std::fma(x, frequency_high[k], -product) + x * frequency_low[k];
        const double sum = high[k] + product;
        const double seen = sum - high[k];
        low[k] += ((high[k] - (sum - seen)) + (product - seen)) + rest;
        high[k] = sum;
        magnitude[k] += std::fabs(product);
    }
}

/// Computes sines and cosines of the angles high + low, |high| <= 2^20, and bounds of the errors of
/// the sines; the cosines are off by at most 2^-51. docs/numerics.md derives the bounds.
PEGEN_CLONES void evaluate(In high, In low, In magnitude, std::size_t count, In table, Out sines,
                           Out cosines, Out sine_errors) {
    constexpr double turn = 2 * std::numbers::pi;
    constexpr double part = turn / parts, part_rest = 2.4492935982947064e-16 / parts;
    constexpr double to_integer = 0x1.8p52;  // adding this rounds to whole numbers
    for (std::size_t k = 0; k < count; ++k) {
        const double n = std::fma(high[k], parts / turn, to_integer) - to_integer;
        const double r = std::fma(-n, part_rest, std::fma(-n, part, high[k])) + low[k];
        const double r2 = r * r;
        const double sine = r + r * r2 * (-1.0 / 6 + r2 * (1.0 / 120 - r2 * (1.0 / 5040)));
        const double cosine_less_1 = r2 * (-0.5 + r2 * (1.0 / 24 - r2 * (1.0 / 720)));
        // The number of parts is an int, because indices of that width are gathered at once.
        const int index = static_cast<int>(n);
        const double s = table[index & (parts - 1)], c = table[(index + quarter) & (parts - 1)];
        // Adding 0 turns -0 into 0.
        sines[k] = s + (c * sine + s * cosine_less_1) + 0.0;
        cosines[k] = c + (c * cosine_less_1 - s * sine);
        // Near 0 the error is relative to the sine itself, whose neighbours are closer there.
        sine_errors[k] = n == 0 ? std::fabs(sines[k]) * 0x1p-50 + magnitude[k] * 0x1p-95 : 0x1p-51;
    }
}

/// Rounds the lower end of what each value may be to `out`. Returns bits that are all 0 if every
/// upper end is rounded to the same number as the lower end.
PEGEN_CLONES std::uint32_t round_all(In values, In errors, std::size_t count,
                                     float* __restrict out) {
    std::uint32_t doubts = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const auto lower = static_cast<float>(values[k] - errors[k]);
        const auto upper = static_cast<float>(values[k] + errors[k]);
        doubts |= std::bit_cast<std::uint32_t>(lower) ^ std::bit_cast<std::uint32_t>(upper);
        out[k] = lower;
    }
    return doubts;
}

template <class T>
std::uint32_t round_all(In values, In errors, std::size_t count, T* __restrict out) {
    std::uint32_t doubts = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const T lower = round_to<T>(values[k] - errors[k]),
                upper = round_to<T>(values[k] + errors[k]);
        doubts |= std::bit_cast<std::uint16_t>(lower) ^ std::bit_cast<std::uint16_t>(upper);
        out[k] = lower;
    }
    return doubts;
}

/// The data that rows are made from. Never changed, so threads share it.
struct Waves {
    std::vector<DirectAxis> axes;
    ChannelLayout layout;
    ExactWave exact;

    std::size_t count() const { return axes.front().frequencies.high.size(); }
    bool has(Function function) const {
        return std::ranges::any_of(layout.runs,
                                   [=](const ChannelRun& run) { return run.function == function; });
    }
};

void set_angles(const Waves& waves, std::int64_t row, Scratch& scratch) {
    for (auto* list : {&scratch.high, &scratch.low, &scratch.magnitude}) {
        std::ranges::fill(*list, 0);
    }
    for (const DirectAxis& axis : waves.axes) {
        const Positions& positions = *axis.positions;
        const double x = positions[row / axis.stride % positions.size()];
        add_products(x, axis.frequencies.high.data(), axis.frequencies.low.data(), waves.count(),
                     scratch.high.data(), scratch.low.data(), scratch.magnitude.data());
    }
}

/// Rounds the values of one function; where the rounding is in doubt, rounds the exact value
/// instead.
template <class T>
void round_row(const Waves& waves, std::int64_t row, Function function,
               const std::vector<double>& values, const std::vector<double>& errors,
               std::vector<T>& out) {
    if (round_all(values.data(), errors.data(), values.size(), out.data()) == 0) return;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (round_all(&values[k], &errors[k], 1, &out[k]) == 0) continue;
        out[k] = round_to<T>(waves.exact(function, row, k));
    }
}

template <class T>
void fill(const Waves& waves, RowRange range, std::span<std::byte> out) {
    const std::size_t count = waves.count();
    Scratch scratch(count);
    std::vector<T> sines(count), cosines(count);
    const bool has_sines = waves.has(Function::sin), has_cosines = waves.has(Function::cos);
    T* row_out = reinterpret_cast<T*>(out.data());
    std::ranges::fill(out, std::byte{});
    for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
        set_angles(waves, row, scratch);
        evaluate(scratch.high.data(), scratch.low.data(), scratch.magnitude.data(), count,
                 sine_table().data(), scratch.sines.data(), scratch.cosines.data(),
                 scratch.sine_errors.data());
        if (has_sines) {
            round_row(waves, row, Function::sin, scratch.sines, scratch.sine_errors, sines);
        }
        if (has_cosines) {
            round_row(waves, row, Function::cos, scratch.cosines, scratch.cosine_errors, cosines);
        }
        for (const ChannelRun& run : waves.layout.runs) {
            const T* from = (run.function == Function::sin ? sines : cosines).data();
            for (std::int64_t i = 0; i < run.count; ++i) {
                row_out[run.first_channel + i * run.channel_stride] =
                    from[run.first_frequency + i * run.frequency_stride];
            }
        }
        row_out += waves.layout.channels;
    }
}

}  // namespace

SplitFrequencies split(const std::vector<Real>& frequencies) {
    SplitFrequencies halves;
    for (const Real& frequency : frequencies) {
        const DoubleDouble both = nearest_double_double(frequency);
        halves.high.push_back(both.high);
        halves.low.push_back(both.low);
    }
    return halves;
}

bool is_direct(DType dtype, double largest, std::size_t axes) {
    return dtype != DType::float64 && largest <= 0x1p20 && axes <= 16;
}

Rows direct_wave_rows(std::vector<DirectAxis> axes, std::int64_t points, ChannelLayout layout,
                      DType dtype, ExactWave exact) {
    const std::int64_t channels = layout.channels;
    auto waves =
        std::make_shared<const Waves>(Waves{std::move(axes), std::move(layout), std::move(exact)});
    return floating_rows(points, channels, dtype,
                         [waves = std::move(waves)]<class T>(std::type_identity<T>, RowRange range,
                                                             std::span<std::byte> out) {
                             if constexpr (!std::is_same_v<T, double>) fill<T>(*waves, range, out);
                         });
}

}  // namespace pegen::numerics
