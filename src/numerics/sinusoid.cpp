#include "numerics/sinusoid.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "numerics/direct_waves.h"
#include "numerics/exact.h"
#include "numerics/floating_point.h"
#include "numerics/rotations.h"
#include "numerics/rounding.h"
#include "numerics/row_plan.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

/// The data that rows are made from. Never changed, so threads share it.
struct Waves {
    Positions positions;
    Frequencies frequencies;
    ChannelLayout layout;
    double out_scale;
    DType dtype;
    std::optional<SplitRotations> rotations;  ///< empty: MPFR computes every value
};

/// True if errors relative to the scale stay well within the exponent range of every dtype, so that
/// no value is rounded to zero and loses its sign before it is certain.
bool is_moderate(double scale) { return std::fabs(scale) > 0x1p-60 && std::fabs(scale) < 0x1p60; }

template <class T>
T exact(const Waves& waves, Function function, double position, std::size_t k) {
    return round_to<T>(
        exact_value(function, position, waves.frequencies, k, waves.out_scale, waves.dtype));
}

/// Sets each value of the channels to value(function, k).
template <class T, class Value>
void set_each(const Waves& waves, const Channels<T>& channels, const Value& value) {
    for (const auto& [function, out] : {channels.first, channels.second}) {
        if (!out) continue;
        for (std::int64_t k = 0; k < waves.frequencies.size(); ++k) {
            out[k * channels.stride] = value(function, k);
        }
    }
}

template <class T>
void evaluate_exactly(const Waves& waves, double position, const Channels<T>& channels) {
    set_each(waves, channels, [&](Function function, std::size_t k) {
        return exact<T>(waves, function, position, k);
    });
}

/// Evaluates the functions at a position by rotations; values in doubt by MPFR. `base` carries the
/// scale.
template <class T>
void evaluate_by_rotation(const Waves& waves, double position, const Rotations& base,
                          const Rotations& step, const Channels<T>& channels) {
    if (rotate(base, step, waves.out_scale, channels)) return;
    set_each(waves, channels, [&](Function function, std::size_t k) {
        const auto [value, error] = estimate(function, base, step, k, waves.out_scale);
        const Rounded<T> rounded = round_certainly<T>(value, error);
        return rounded.is_certain ? rounded.value : exact<T>(waves, function, position, k);
    });
}

/// Evaluates position 0, where sin is 0 and cos is 1 exactly and no rounding test would ever end.
template <class T>
void evaluate_zero(const Waves& waves, const Channels<T>& channels) {
    set_each(waves, channels, [&](Function function, std::size_t) {
        return round_to<T>(function == Function::sin ? 0.0 * waves.out_scale : waves.out_scale);
    });
}

template <class T>
std::vector<PlacedRun<T>> placed_runs(const ChannelLayout& layout, std::span<std::byte> out) {
    std::vector<PlacedRun<T>> result;
    for (const ChannelRun& run : layout.runs) {
        result.push_back({run, reinterpret_cast<T*>(out.data()), layout.channels});
    }
    return result;
}

template <class T>
void fill(const Waves& waves, RowRange range, std::span<std::byte> out) {
    if (has_zeros(waves.layout)) std::ranges::fill(out, std::byte{});
    RowPlan<T> plan(waves.frequencies.size(), placed_runs<T>(waves.layout, out));
    std::optional<Rotations> base;
    double base_position = 0;
    for (std::int64_t i = 0; i < range.count; ++i) {
        const std::int64_t row = range.first + i;
        const double position = waves.positions[row];
        if (position == 0) {
            plan.fill(i, [&](const Channels<T>& channels) { evaluate_zero(waves, channels); });
        } else if (waves.rotations) {
            const Split split = waves.rotations->split(row, position);
            if (!base || base_position != split.base) {
                base = scaled(waves.rotations->base(split), waves.out_scale);
                base_position = split.base;
            }
            const Rotations& step = waves.rotations->step(split);
            plan.fill(i, [&](const Channels<T>& channels) {
                evaluate_by_rotation(waves, position, *base, step, channels);
            });
        } else {
            plan.fill(i, [&](const Channels<T>& channels) {
                evaluate_exactly(waves, position, channels);
            });
        }
    }
}

/// True if direct_wave_rows() is faster: a row has too few waves to pay for the rotations of its
/// position, or no two positions need have anything in common, and they are many.
bool is_better_direct(const Positions& positions, const Frequencies& frequencies, double out_scale,
                      DType dtype) {
    constexpr std::int64_t many = 1 << 13;
    const std::int64_t few = dtype == DType::float64 ? 1 : 4;
    const std::int64_t count = frequencies.size();
    const bool pays = (count > 0 && count <= few) ||
                      (!positions.exact_progression() && positions.size() * count >= many);
    return out_scale == 1 && pays && is_direct(positions.largest() * frequencies.largest(), 1) &&
           are_moderate(positions, frequencies.reals());
}

Rows direct_rows(Positions positions, Frequencies frequencies, ChannelLayout layout, DType dtype) {
    const auto shared = std::make_shared<const Positions>(std::move(positions));
    const auto count = static_cast<std::size_t>(frequencies.size());
    return direct_wave_rows({.summands = {{{{shared, 1, count}}, split(frequencies.reals())}},
                             .layout = std::move(layout),
                             .exact =
                                 [=](Function function, std::int64_t row, std::size_t k) {
                                     return exact_value(function, (*shared)[row], frequencies, k, 1,
                                                        dtype);
                                 }},
                            shared->size(), dtype);
}

}  // namespace

Rows sinusoid_rows(Positions positions, Frequencies frequencies, ChannelLayout layout,
                   double out_scale, DType dtype) {
    if (is_better_direct(positions, frequencies, out_scale, dtype)) {
        return direct_rows(std::move(positions), std::move(frequencies), std::move(layout), dtype);
    }
    const DefaultFloatingPoint arithmetic;
    Waves waves{
        std::move(positions), std::move(frequencies), std::move(layout), out_scale, dtype, {}};
    if (Ladder::fits(waves.positions) && is_moderate(out_scale)) {
        waves.rotations.emplace(waves.positions, waves.frequencies);
    }
    const std::int64_t rows = waves.positions.size(), channels = waves.layout.channels;
    return floating_rows(rows, channels, dtype,
                         [shared = std::make_shared<const Waves>(std::move(waves))]<class T>(
                             std::type_identity<T>, RowRange range, std::span<std::byte> out) {
                             fill<T>(*shared, range, out);
                         });
}

namespace {

struct Angles {
    Positions positions;
    Frequencies frequencies;
    std::vector<DoubleDouble> nearest;  ///< the double-double nearest to each frequency
    DType dtype;
};

template <class T>
T exact(const Angles& angles, double position, std::size_t k) {
    return round_to<T>(ziv_loop(angles.dtype, Midpoints::possible,
                                [&] { return angles.frequencies.reals()[k] * position; }));
}

template <class T>
T angle(const Angles& angles, double position, std::size_t k) {
    // The frequency is off by 2^-106 of itself, the product by 2^-103, if nothing is subnormal.
    const DoubleDouble near = product(angles.nearest[k], {position, 0});
    const double magnitude = std::fabs(near.high);
    if (magnitude > 0x1p-800 && magnitude < 0x1p800) {
        const Rounded<T> rounded = round_certainly<T>(near, 0x1p-100 * magnitude);
        if (rounded.is_certain) return rounded.value;
    }
    return exact<T>(angles, position, k);
}

template <class T>
void fill(const Angles& angles, RowRange range, std::span<std::byte> out) {
    T* value = reinterpret_cast<T*>(out.data());
    for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
        const double position = angles.positions[row];
        for (std::size_t k = 0; k < angles.nearest.size(); ++k) {
            *value++ = angle<T>(angles, position, k);
        }
    }
}

}  // namespace

Rows angle_rows(Positions positions, Frequencies frequencies, DType dtype) {
    const DefaultFloatingPoint arithmetic;
    std::vector<DoubleDouble> nearest;
    for (const Real& frequency : frequencies.reals()) {
        nearest.push_back(nearest_double_double(frequency));
    }
    const auto angles = std::make_shared<const Angles>(
        Angles{std::move(positions), std::move(frequencies), std::move(nearest), dtype});
    return floating_rows(
        angles->positions.size(), angles->frequencies.size(), dtype,
        [angles]<class T>(std::type_identity<T>, RowRange range, std::span<std::byte> out) {
            fill<T>(*angles, range, out);
        });
}

}  // namespace pegen::numerics
