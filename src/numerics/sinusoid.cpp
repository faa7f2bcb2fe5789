#include "pegen/numerics/sinusoid.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

#include "numerics/certain.h"
#include "numerics/direct.h"
#include "numerics/exact.h"
#include "numerics/ladder.h"
#include "numerics/reals.h"
#include "numerics/rotate.h"

namespace pegen::numerics {
namespace {

/// What rows are made from; shared by all threads, and never changed.
struct Waves {
    Positions positions;
    Frequencies frequencies;
    ChannelLayout layout;
    double out_scale;
    DType dtype;
    std::optional<Ladder> ladder;              ///< where positions are an exact progression
    std::vector<DoubleDouble> double_doubles;  ///< the frequencies, where they are not

    const Real& frequency(std::size_t k) const { return frequencies.reals().values[k]; }
};

/// sin and cos of a row, one of each for every frequency.
template <class T>
struct Row {
    explicit Row(std::size_t frequencies) : sin(frequencies), cos(frequencies) {}
    std::vector<T> sin, cos;
};

/// The estimate where it is certain, else the value by MPFR.
template <class T>
void settle(const Waves& waves, double position, std::size_t k, const Estimate& estimate,
            Row<T>& row) {
    const auto settled = [&](Function function, DoubleDouble value, double error) {
        const Rounded<T> rounded = round_certainly<T>(value, error);
        if (rounded.is_certain) return rounded.value;
        return round_to<T>(
            exact_value(function, position, waves.frequency(k), waves.out_scale, waves.dtype));
    };
    row.sin[k] = settled(Function::sin, estimate.sin, estimate.sin_error);
    row.cos[k] = settled(Function::cos, estimate.cos, estimate.cos_error);
}

template <class T>
void evaluate_on_ladder(const Waves& waves, double position, const Rotations& base,
                        const Rotations& step, Row<T>& row) {
    if (rotate<T>(base, step, waves.out_scale, row.sin, row.cos)) return;
    for (std::size_t k = 0; k < row.sin.size(); ++k) {
        settle(waves, position, k, estimate(base, step, k, waves.out_scale), row);
    }
}

template <class T>
void evaluate_directly(const Waves& waves, double position, Row<T>& row) {
    for (std::size_t k = 0; k < row.sin.size(); ++k) {
        settle(waves, position, k,
               estimate_directly(position, waves.double_doubles[k], waves.out_scale), row);
    }
}

/// At position 0 no rounding test would ever end: sin is 0 and cos is 1, exactly.
template <class T>
void evaluate_zero(const Waves& waves, Row<T>& row) {
    std::fill(row.sin.begin(), row.sin.end(), round_to<T>(0.0 * waves.out_scale));
    std::fill(row.cos.begin(), row.cos.end(), round_to<T>(waves.out_scale));
}

template <class T>
const T* values_of(const ChannelRun& run, const Row<T>& row) {
    return (run.function == Function::sin ? row.sin : row.cos).data() + run.first_frequency;
}

/// Whether the runs are the even and the odd channels, of the same frequencies.
bool is_interleaved(const std::vector<ChannelRun>& runs) {
    return runs.size() == 2 && runs[0].count == runs[1].count && runs[0].first_channel == 0 &&
           runs[1].first_channel == 1 && std::ranges::all_of(runs, [](const ChannelRun& run) {
               return run.channel_stride == 2 && run.frequency_stride == 1;
           });
}

/// Puts the values into their channels.
template <class T>
void place(const ChannelLayout& layout, const Row<T>& row, T* __restrict channels) {
    if (is_interleaved(layout.runs)) {  // in one go, which is twice as fast
        const T* even = values_of(layout.runs[0], row);
        const T* odd = values_of(layout.runs[1], row);
        for (std::int64_t i = 0; i < layout.runs[0].count; ++i) {
            channels[2 * i] = even[i];
            channels[2 * i + 1] = odd[i];
        }
        return;
    }
    for (const ChannelRun& run : layout.runs) {
        const T* from = values_of(run, row);
        for (std::int64_t i = 0; i < run.count; ++i) {
            channels[run.first_channel + i * run.channel_stride] = from[i * run.frequency_stride];
        }
    }
}

/// Channels in no run are zero.
bool has_zeros(const ChannelLayout& layout) {
    std::int64_t filled = 0;
    for (const ChannelRun& run : layout.runs) filled += run.count;
    return filled < layout.channels;
}

template <class T>
void fill(const Waves& waves, RowRange range, std::span<std::byte> out) {
    Row<T> row(static_cast<std::size_t>(waves.frequencies.size()));
    if (has_zeros(waves.layout)) std::memset(out.data(), 0, out.size());
    T* channels = reinterpret_cast<T*>(out.data());
    std::optional<Rotations> base;
    for (std::int64_t i = 0; i < range.count; ++i) {
        const std::int64_t number = range.first + i;
        const double position = waves.positions[number];
        if (waves.ladder) {
            const std::int64_t digit = number % waves.ladder->radix();
            if (digit == 0 || !base) base = waves.ladder->base(number / waves.ladder->radix());
            if (position != 0) {
                const Rotations& step = waves.ladder->steps()[static_cast<std::size_t>(digit)];
                evaluate_on_ladder(waves, position, *base, step, row);
            }
        } else if (position != 0) {
            evaluate_directly(waves, position, row);
        }
        if (position == 0) evaluate_zero(waves, row);
        place(waves.layout, row, channels + i * waves.layout.channels);
    }
}

Waves make_waves(Positions positions, Frequencies frequencies, ChannelLayout layout,
                 double out_scale, DType dtype) {
    Waves waves{
        std::move(positions), std::move(frequencies), std::move(layout), out_scale, dtype, {}, {}};
    const auto progression = waves.positions.exact_progression();
    if (progression && is_moderate(out_scale)) {
        waves.ladder.emplace(*progression, waves.positions.size(), waves.frequencies);
    } else {
        for (const Real& frequency : waves.frequencies.reals().values) {
            waves.double_doubles.push_back(nearest_double_double(frequency));
        }
    }
    return waves;
}

}  // namespace

RowSource sinusoid_rows(Positions positions, Frequencies frequencies, ChannelLayout layout,
                        double out_scale, DType dtype) {
    const auto waves = std::make_shared<const Waves>(make_waves(
        std::move(positions), std::move(frequencies), std::move(layout), out_scale, dtype));
    return [waves](RowRange range, std::span<std::byte> out) {
        switch (waves->dtype) {
            case DType::float64:
                return fill<double>(*waves, range, out);
            case DType::float16:
                return fill<float16>(*waves, range, out);
            case DType::bfloat16:
                return fill<bfloat16>(*waves, range, out);
            default:
                return fill<float>(*waves, range, out);
        }
    };
}

}  // namespace pegen::numerics
