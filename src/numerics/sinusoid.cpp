#include "numerics/sinusoid.h"

#include <cstring>
#include <memory>
#include <optional>

#include "numerics/certain.h"
#include "numerics/exact.h"
#include "numerics/floating_point.h"
#include "numerics/reals.h"
#include "numerics/rotate.h"
#include "numerics/split_rotations.h"

namespace pegen::numerics {
namespace {

/// What rows are made from; shared by all threads, and never changed.
struct Waves {
    Positions positions;
    Frequencies frequencies;
    ChannelLayout layout;
    double out_scale;
    DType dtype;
    std::optional<SplitRotations> rotations;  ///< none where only MPFR reaches

    std::size_t size() const { return static_cast<std::size_t>(frequencies.size()); }
};

template <class T>
T exact(const Waves& waves, Function function, double position, std::size_t k) {
    return round_to<T>(exact_value(function, position, waves.frequencies.reals().values[k],
                                   waves.out_scale, waves.dtype));
}

template <class T>
void evaluate_exactly(const Waves& waves, double position, Channels<T> channels) {
    for (std::size_t k = 0; k < waves.size(); ++k) {
        channels.sin[k * channels.stride] = exact<T>(waves, Function::sin, position, k);
        channels.cos[k * channels.stride] = exact<T>(waves, Function::cos, position, k);
    }
}

/// `base` carries the scale.
template <class T>
void evaluate_by_rotation(const Waves& waves, double position, const Rotations& base,
                          const Rotations& step, Channels<T> channels) {
    if (rotate(base, step, waves.out_scale, channels)) return;
    for (std::size_t k = 0; k < waves.size(); ++k) {
        const Estimate near = estimate(base, step, k, waves.out_scale);
        const auto settled = [&](Function function, DoubleDouble value) {
            const Rounded<T> rounded = round_certainly<T>(value, near.error);
            return rounded.is_certain ? rounded.value : exact<T>(waves, function, position, k);
        };
        channels.sin[k * channels.stride] = settled(Function::sin, near.sin);
        channels.cos[k * channels.stride] = settled(Function::cos, near.cos);
    }
}

/// At position 0 no rounding test would ever end: sin is 0 and cos is 1, exactly.
template <class T>
void evaluate_zero(const Waves& waves, Channels<T> channels) {
    for (std::size_t k = 0; k < waves.size(); ++k) {
        channels.sin[k * channels.stride] = round_to<T>(0.0 * waves.out_scale);
        channels.cos[k * channels.stride] = round_to<T>(waves.out_scale);
    }
}

/// sin and cos of a row by frequency, from where they are put into their channels.
template <class T>
struct Row {
    explicit Row(std::size_t frequencies) : sin(frequencies), cos(frequencies) {}
    std::vector<T> sin, cos;

    Channels<T> channels() { return {sin.data(), cos.data(), 1}; }
};

template <class T>
void place(const ChannelLayout& layout, const Row<T>& row, T* channels) {
    for (const ChannelRun& run : layout.runs) {
        const T* from =
            (run.function == Function::sin ? row.sin : row.cos).data() + run.first_frequency;
        for (std::int64_t i = 0; i < run.count; ++i) {
            channels[run.first_channel + i * run.channel_stride] = from[i * run.frequency_stride];
        }
    }
}

/// Where sin and cos of all frequencies are channels of the table that the kernel can write to
/// itself, halves or pairs: those of the first row. It saves a fifth of the time.
template <class T>
std::optional<Channels<T>> direct_channels(const Waves& waves, T* first_row) {
    const auto& runs = waves.layout.runs;
    const auto is_whole = [&](const ChannelRun& run, Function function) {
        return run.function == function && run.first_frequency == 0 && run.frequency_stride == 1 &&
               run.count == waves.frequencies.size();
    };
    if (runs.size() != 2 || !is_whole(runs[0], Function::sin) || !is_whole(runs[1], Function::cos))
        return std::nullopt;
    const std::int64_t stride = runs[0].channel_stride;
    const bool are_pairs = stride == 2 && runs[1].first_channel == runs[0].first_channel + 1;
    if (runs[1].channel_stride != stride || (stride != 1 && !are_pairs)) return std::nullopt;
    return Channels<T>{first_row + runs[0].first_channel, first_row + runs[1].first_channel,
                       static_cast<std::size_t>(stride)};
}

/// Channels in no run are zero.
bool has_zeros(const ChannelLayout& layout) {
    std::int64_t filled = 0;
    for (const ChannelRun& run : layout.runs) filled += run.count;
    return filled < layout.channels;
}

template <class T>
void fill(const Waves& waves, RowRange range, std::span<std::byte> out) {
    if (has_zeros(waves.layout)) std::memset(out.data(), 0, out.size());
    T* const table = reinterpret_cast<T*>(out.data());
    const auto direct = direct_channels(waves, table);
    Row<T> row(waves.size());
    std::optional<Rotations> base;
    double base_position = 0;
    for (std::int64_t i = 0; i < range.count; ++i) {
        const std::int64_t offset = i * waves.layout.channels;
        const Channels<T> channels =
            direct ? Channels<T>{direct->sin + offset, direct->cos + offset, direct->stride}
                   : row.channels();
        const std::int64_t number = range.first + i;
        const double position = waves.positions[number];
        if (position == 0) {
            evaluate_zero(waves, channels);
        } else if (waves.rotations) {
            const Split split = waves.rotations->split(number, position);
            if (!base || base_position != split.base) {
                base = scaled(waves.rotations->base(split), waves.out_scale);
                base_position = split.base;
            }
            evaluate_by_rotation(waves, position, *base, waves.rotations->step(split), channels);
        } else {
            evaluate_exactly(waves, position, channels);
        }
        if (!direct) place(waves.layout, row, table + offset);
    }
}

Waves make_waves(Positions positions, Frequencies frequencies, ChannelLayout layout,
                 double out_scale, DType dtype) {
    Waves waves{
        std::move(positions), std::move(frequencies), std::move(layout), out_scale, dtype, {}};
    if (Ladder::fits(waves.positions) && is_moderate(out_scale)) {
        waves.rotations.emplace(waves.positions, waves.frequencies);
    }
    return waves;
}

}  // namespace

RowSource sinusoid_rows(Positions positions, Frequencies frequencies, ChannelLayout layout,
                        double out_scale, DType dtype) {
    const DefaultFloatingPoint arithmetic;
    const auto waves = std::make_shared<const Waves>(make_waves(
        std::move(positions), std::move(frequencies), std::move(layout), out_scale, dtype));
    return [waves](RowRange range, std::span<std::byte> out) {
        const DefaultFloatingPoint arithmetic_of_thread;
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
