#include "encodings/sequence/sinusoid_lone_channels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

#include "core/to_size.h"
#include "evidence/geometric.h"
#include "evidence/lone_wave.h"

namespace pegen::encodings {
namespace {

using evidence::LoneWave;
using evidence::Measured;
using evidence::WaveTable;

constexpr std::int64_t most_rows = 256;
constexpr std::int64_t most_channels = 24;
constexpr Measured unknown{0, std::numeric_limits<double>::infinity()};

struct Channel {
    std::int64_t index;
    bool is_sine;
    std::vector<double> values{};
    std::vector<double> errors{};
};

bool is_sine(LoneFunctions functions, std::int64_t channel) {
    switch (functions) {
        case LoneFunctions::sin_cos:
            return channel % 2 == 0;
        case LoneFunctions::cos_sin:
            return channel % 2 == 1;
        case LoneFunctions::sines:
            return true;
        default:
            return false;
    }
}

/// Puts what is likely in the place of a row of zeros.
void pass_over(Channel& channel, std::size_t row) {
    const std::size_t last = channel.values.size() - 1;
    const double before = channel.values[row == 0 ? std::min<std::size_t>(1, last) : row - 1];
    const double behind = channel.values[row == last ? row - (row > 0 ? 1 : 0) : row + 1];
    channel.values[row] = (before + behind) / 2;
    channel.errors[row] = std::numeric_limits<double>::infinity();
}

/// Returns some of the channels, all parts of the array alike.
std::vector<Channel> some_channels(const evidence::Sample& array, const LoneRows& rows,
                                   std::int64_t count, LoneFunctions functions) {
    const std::int64_t d = array.extents.back();
    const std::int64_t chosen = std::min(count, most_channels);
    std::vector<Channel> channels;
    for (std::int64_t i = 0; i < chosen; ++i) {
        const std::int64_t index = chosen == count ? i : i * (count - 1) / (chosen - 1);
        Channel channel{.index = index, .is_sine = is_sine(functions, index)};
        for (std::int64_t row = 0; row < std::min(rows.count, most_rows); ++row) {
            const double value = array.values[to_size((rows.first + row) * d + index)];
            channel.values.push_back(value);
            channel.errors.push_back(array.error_of(value));
        }
        if (rows.zeros && *rows.zeros < std::ssize(channel.values)) {
            pass_over(channel, to_size(*rows.zeros));
        }
        channels.push_back(std::move(channel));
    }
    return channels;
}

bool is_constant(const Channel& channel) {
    const auto [low, high] = std::ranges::minmax(channel.values);
    return low == high;
}

std::optional<LoneWave> wave_of(const Channel& channel, const evidence::KnownOfWave& known) {
    return evidence::lone_wave(channel.values, channel.errors, known);
}

/// Returns the circle all channels would be on: that of the one that shows its amplitude best.
std::optional<evidence::Circle> circle_of(const std::vector<Channel>& channels) {
    std::optional<evidence::Circle> best;
    constexpr std::size_t fastest = 6;
    for (std::size_t i = 0; i < std::min(channels.size(), fastest); ++i) {
        for (const std::optional<double> offset : {std::optional(0.0), std::optional<double>()}) {
            const auto wave = wave_of(channels[i], {.offset = offset});
            if (!wave) continue;
            if (!best || wave->amplitude.error < best->radius.error) {
                best = {wave->amplitude, wave->offset};
            }
            break;
        }
    }
    return best;
}

/// The angle of row 0 and its advance.
struct Angle {
    Measured phase;
    Measured advance;  ///< in [-pi, pi]
};

/// Returns the angle of a wave. Whether it rises or falls from row to row is not seen:
/// sin(f) = sin(pi - f), and cos(f) = sin(pi/2 + f) = sin(pi/2 - f).
Angle angle_of(const LoneWave& wave, bool is_sine, bool is_rising) {
    constexpr double pi = std::numbers::pi;
    const double sign = is_rising ? 1 : -1;
    const double phase = is_sine ? (is_rising ? wave.phase.value : pi - wave.phase.value)
                                 : sign * (wave.phase.value - pi / 2);
    return {{evidence::wrapped(phase), wave.phase.error},
            {sign * wave.advance.value, wave.advance.error}};
}

/// Returns the series of the advances; where the fast ones have turned more than half between rows,
/// so that their direction is not seen, that of the slow ones.
std::vector<evidence::GeometricSeries> series_of(std::vector<Measured> advances) {
    for (std::size_t left_out = 0; left_out + 3 < advances.size();) {
        const auto found = evidence::geometric_series(advances, 2);
        if (!found.empty()) return found;
        left_out += std::max<std::size_t>(advances.size() / 8, 1);
        std::fill_n(advances.begin(), std::min(left_out, advances.size()), unknown);
    }
    return {};
}

struct Wave {
    std::int64_t channel;
    bool is_sine;
    LoneWave wave;
};

/// Returns the waves of the channels that are on one.
std::vector<Wave> waves_of(const std::vector<Channel>& channels, const evidence::Circle& circle) {
    std::vector<Wave> waves;
    for (Channel channel : channels) {
        if (is_constant(channel)) continue;
        for (double& error : channel.errors) error += circle.radius.error + circle.offset.error;
        const auto wave =
            wave_of(channel, {.amplitude = circle.radius.value, .offset = circle.offset.value});
        if (wave) waves.push_back({channel.index, channel.is_sine, *wave});
    }
    return waves;
}

/// Returns the steps that the waves make together, if their advances are this series.
std::optional<WaveTable> table_of(const std::vector<Wave>& waves, std::int64_t count,
                                  const evidence::Circle& circle,
                                  const evidence::GeometricSeries& rough) {
    std::vector<Measured> advances(to_size(count), unknown);
    std::vector<Measured> phases = advances;
    for (const Wave& wave : waves) {
        // A fast wave may have turned so far that it seems to go back.
        const double advance = rough.first.value *
                               std::exp(-rough.log_ratio.value * static_cast<double>(wave.channel));
        const Angle angle = angle_of(wave.wave, wave.is_sine, evidence::wrapped(advance) >= 0);
        // A wave of half a turn a row, or a whole one, seems to stand still.
        const double error =
            std::fabs(advance) * (rough.first.error / std::fabs(rough.first.value));
        const double off = std::fabs(evidence::wrapped(angle.advance.value - advance));
        if (error < 0.1 && off > 0.5) continue;
        advances[to_size(wave.channel)] = angle.advance;
        phases[to_size(wave.channel)] = angle.phase;
    }
    for (const evidence::GeometricSeries& series : evidence::geometric_series(advances, 4)) {
        const auto start = evidence::first_of_series(phases, series.log_ratio);
        if (start) {
            return WaveTable{circle, series.log_ratio, evidence::WaveSteps{*start, series.first}};
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<WaveTable> lone_channel_tables(const evidence::Sample& array, const LoneRows& rows,
                                           std::int64_t count, LoneFunctions functions) {
    const std::vector<Channel> channels = some_channels(array, rows, count, functions);
    const auto circle = circle_of(channels);
    if (!circle) return {};
    const std::vector<Wave> waves = waves_of(channels, *circle);
    // The cosines of slow waves may be 1 in all rows.
    const auto turning = channels.size() - to_size(std::ranges::count_if(channels, is_constant));
    if (waves.size() < 2 || 4 * waves.size() < 3 * turning) return {};
    std::vector<WaveTable> found;
    for (const bool is_rising : {true, false}) {
        std::vector<Measured> advances(to_size(count), unknown);
        for (const Wave& wave : waves) {
            advances[to_size(wave.channel)] = angle_of(wave.wave, wave.is_sine, is_rising).advance;
        }
        for (const evidence::GeometricSeries& rough : series_of(advances)) {
            if (auto table = table_of(waves, count, *circle, rough)) {
                found.push_back(std::move(*table));
            }
        }
    }
    return found;
}

}  // namespace pegen::encodings
