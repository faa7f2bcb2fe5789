#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names.h"
#include "core/number.h"
#include "core/shape.h"
#include "encodings/choice.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/geometric.h"
#include "recognition/evidence/lone_wave.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/evidence/wave_table.h"
#include "recognition/parameters/position_proposals.h"
#include "recognition/parameters/priced_settings.h"

namespace pegen::recognition {
namespace {

using evidence::LoneWave;
using evidence::WaveTable;

// The orders in which the channels of `sinusoid` may hold its waves.

/// An order of channels, as chosen by --layout, --first and --odd.
struct SinusoidLayout {
    bool has_halves;
    bool is_cos_first;
    std::string_view odd;                       ///< "" for an even d
    std::int64_t width;                         ///< the d in the formula of the frequencies
    std::vector<evidence::WaveColumns> pairs;   ///< the fastest first
    std::vector<std::int64_t> pair_of_channel;  ///< -1 for a channel of zeros
};

SinusoidLayout layout_of(std::int64_t d, std::string_view odd, bool has_halves, bool is_cos_first) {
    const std::int64_t width = odd == "round-up" ? d + 1 : odd == "zero-pad" ? d - 1 : d;
    const auto layout = has_halves ? numerics::halves : numerics::interleaved;
    const auto first = is_cos_first ? numerics::Function::cos : numerics::Function::sin;
    evidence::LayoutColumns columns =
        evidence::columns_of(numerics::padded(layout(std::min(width, d), first), d));
    return {has_halves,
            is_cos_first,
            odd,
            width,
            std::move(columns.pairs),
            std::move(columns.pair_of_column)};
}

/// Returns the layouts that a table of d channels may have.
std::vector<SinusoidLayout> sinusoid_layouts(std::int64_t d) {
    const std::vector<std::string_view> odds =
        d % 2 == 0 ? std::vector<std::string_view>{""}
                   : std::vector<std::string_view>{"exact", "zero-pad", "round-up"};
    std::vector<SinusoidLayout> layouts;
    for (const std::string_view odd : odds) {
        for (const bool has_halves : {false, true}) {
            for (const bool is_cos_first : {false, true}) {
                layouts.push_back(layout_of(d, odd, has_halves, is_cos_first));
            }
        }
    }
    return layouts;
}

/// Returns the settings for the layout of a table of d channels.
PricedSettings layout_settings(const SinusoidLayout& layout, std::int64_t d) {
    PricedSettings settings{.settings = {{"d", fmt::format("{}", d)}}};
    const auto add = [&](std::string_view name, std::string_view value) {
        settings.settings.push_back({name, std::string(value)});
        settings.bits += 3;
    };
    if (layout.has_halves) add("layout", "halves");
    if (layout.is_cos_first) add("first", "cos");
    if (!layout.odd.empty()) add("odd", layout.odd);
    return settings;
}

// The rows of an array that may be a table of `sinusoid`: positions and zeros.

/// An array as rows of channels; a vector is one row.
struct SinusoidRows {
    std::int64_t count;
    std::int64_t channels;
    std::int64_t zeros_in_front = 0;
    std::optional<std::int64_t> zero_row{};  ///< first row of zeros after those in front
    std::vector<std::int64_t> others{};      ///< all rows behind the zeros in front
};

bool is_zero_row(const Sample& array, std::int64_t row, std::int64_t channels) {
    const auto begin = array.values.begin() + row * channels;
    return std::all_of(begin, begin + channels, [](double value) { return value == 0; });
}

/// Returns the table extended by one row at the beginning.
WaveTable with_row_before(WaveTable table) {
    if (table.steps) {
        Measured& start = table.steps->start;
        start.value -= table.steps->step.value;
        start.error += table.steps->step.error;
    } else {
        table.positions.insert(table.positions.begin(), Measured{0, 0});
    }
    return table;
}

/// Returns the position of a row according to the settings; none if the settings have a list of
/// positions.
std::optional<double> position_of(const std::vector<Setting>& settings, std::int64_t row,
                                  std::int64_t rows) {
    double start = 0, step = 1;
    bool is_reversed = false;
    for (const Setting& setting : settings) {
        if (setting.name == "positions") return std::nullopt;
        if (setting.name == "start") start = parse_real(setting.value, setting.name);
        if (setting.name == "step") step = parse_real(setting.value, setting.name);
        if (setting.name == "reverse") is_reversed = true;
    }
    return start + step * static_cast<double>(is_reversed ? rows - 1 - row : row);
}

/// Writes an unused position into the list, at the index of the row of zeros. Returns this
/// position.
std::string with_unused_position(std::string& list, std::int64_t row) {
    const std::vector<std::string_view> parts = fields(list, ',');
    std::vector<std::string> items(parts.begin(), parts.end());
    std::int64_t unused = 0;
    items[row].clear();
    while (std::ranges::find(items, fmt::format("{}", unused)) != items.end()) ++unused;
    items[row] = fmt::format("{}", unused);
    list = joined(items, ",");
    return items[row];
}

/// Returns the rows in memory of an array with one or two axes, rows of zeros separated.
SinusoidRows sinusoid_rows_of(const Sample& array) {
    SinusoidRows rows{.count = array.rank() == 1 ? 1 : array.extents[0],
                      .channels = array.extents.back()};
    const std::int64_t in_memory = array.rank() == 1 ? 1 : array.leading;
    for (std::int64_t row = 0; row < in_memory; ++row) {
        const bool is_zero = is_zero_row(array, row, rows.channels);
        if (is_zero && rows.others.empty()) {
            ++rows.zeros_in_front;
            continue;
        }
        if (is_zero && !rows.zero_row) rows.zero_row = row - rows.zeros_in_front;
        rows.others.push_back(row);
    }
    return rows;
}

/// True if the last channel may be the padding of --odd zero-pad. The padding is constant: zero,
/// unless the table is standardised.
bool has_constant_end(const Sample& array, const SinusoidRows& rows) {
    std::optional<double> last;
    for (std::size_t i = 0; i < rows.others.size(); ++i) {
        if (rows.zero_row == static_cast<std::int64_t>(i)) continue;
        const double value = array.values[(rows.others[i] + 1) * rows.channels - 1];
        if (last && *last != value) return false;
        last = value;
    }
    return true;
}

/// Returns the settings that may describe the positions, the rows of zeros in front and the zero
/// row.
std::vector<PricedSettings> row_proposals(const WaveTable& table, const SinusoidRows& rows) {
    std::vector<PricedSettings> options;
    // A single row of zeros may be the position of --zero-row, or a prefix row.
    struct Zeros {
        std::int64_t in_front;
        std::optional<std::int64_t> row;
    };
    std::vector<Zeros> choices{{rows.zeros_in_front, rows.zero_row}};
    // A list of fractions would explain any angles of a single pair.
    const ListOf allowed = table.log_ratio ? ListOf::any_numbers : ListOf::whole_numbers;
    if (rows.zeros_in_front > 0 && !rows.zero_row) {
        choices.push_back({rows.zeros_in_front - 1, 0});
    }
    for (const Zeros& zeros : choices) {
        const bool is_extended = zeros.in_front < rows.zeros_in_front;
        const WaveTable positions = is_extended ? with_row_before(table) : table;
        const std::int64_t count = rows.count - zeros.in_front;
        for (PricedSettings& settings : position_proposals(positions, count, allowed)) {
            if (zeros.in_front > 0) {
                settings.settings.push_back({"prefix-rows", fmt::format("{}", zeros.in_front)});
                settings.bits += 6;
            }
            if (zeros.row) {
                const auto position = position_of(settings.settings, *zeros.row, count);
                std::string text;
                if (!position) {
                    for (Setting& setting : settings.settings) {
                        if (setting.name == "positions") {
                            text = with_unused_position(setting.value, *zeros.row);
                        }
                    }
                } else if (std::rint(*position) == *position && std::fabs(*position) < 0x1p53) {
                    text = fmt::format("{}", static_cast<std::int64_t>(*position));
                }
                if (text.empty()) continue;
                settings.settings.push_back({"zero-row", text});
                settings.bits += 6;
            }
            options.push_back(std::move(settings));
        }
    }
    return options;
}

// The parameters of `sinusoid` for amplitudes and frequencies, found from the waves of an array.

/// The relative error of frequencies in float32 code.
constexpr double float32_share = 0x1p-20;

/// Returns the mean of all values outside rows of zeros, and as `error` their unbiased standard
/// deviation.
Measured moments(const Sample& array, const SinusoidRows& rows) {
    std::vector<double> values;
    for (const std::int64_t row : rows.others) {
        if (rows.zero_row == row - rows.zeros_in_front) continue;
        const auto first = array.values.begin() + row * rows.channels;
        values.insert(values.end(), first, first + rows.channels);
    }
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, std::sqrt(squares / (n - 1))};
}

/// Returns the logarithm of the ratio of neighbouring frequencies with at least the error of
/// float32 code.
Measured loosened(const Measured& log_ratio, std::int64_t pairs) {
    const double share = float32_share / static_cast<double>(std::max<std::int64_t>(pairs - 1, 1));
    return {log_ratio.value, std::max(2 * log_ratio.error, share)};
}

/// Returns the settings that may describe the amplitude and the offset of the waves: --out-scale,
/// --standardize. None if no setting fits.
std::vector<PricedSettings> finish_proposals(const Sample& array, const SinusoidRows& rows,
                                             const evidence::Circle& circle) {
    if (circle.offset.value != 0) {
        const auto [mean, deviation] = moments(array, rows);
        if (!(std::fabs(mean) < 0.2 * deviation)) return {};
        std::vector<PricedSettings> options;
        // The deviation was computed over all rows, before some became zero.
        const double zeros = rows.zero_row || rows.zeros_in_front > 0
                                 ? 2 / static_cast<double>(rows.others.size())
                                 : 0;
        const double error = std::min(1e-3 + zeros, 0.5) / deviation;
        for (const auto& number : evidence::simple_numbers({1 / deviation, error}, 3)) {
            if (number.value > 0)
                options.push_back(priced("standardize", number.text, number.bits));
        }
        return options;
    }
    const auto d = static_cast<double>(rows.channels);
    const Measured amplitude{circle.radius.value,
                             // Errors do not average out: the largest values are all rounded alike.
                             std::max({circle.radius.error, float32_share * circle.radius.value / 4,
                                       array.error_of(circle.radius.value) / 2})};
    const auto is_near = [&](double value) {
        return std::fabs(amplitude.value - value) <= amplitude.error;
    };
    // Values whose last digits are cut off, not rounded, are smaller by half a unit.
    const double unit = evidence::unit_of(1, array.precision);
    if (is_near(1) || std::fabs(amplitude.value - 1) <= unit) return {{}};
    std::vector<PricedSettings> options;
    if (is_near(std::sqrt(d))) options.push_back(priced("out-scale", "sqrt(d)", 4));
    if (is_near(1 / std::sqrt(d))) options.push_back(priced("out-scale", "1/sqrt(d)", 4));
    if (is_near(std::sqrt(2 / d))) options.push_back(priced("out-scale", "sqrt(2/d)", 4));
    for (const auto& number : evidence::simple_numbers(amplitude, 2)) {
        options.push_back(priced("out-scale", number.text, 4 + number.bits));
    }
    if (options.size() > 2) options.resize(2);
    return options;
}

/// Returns the settings --base and --denom-shift that make the ratio of neighbouring frequencies,
/// base^(step / (width - shift)), cheapest first. `log_ratio` is its logarithm.
std::vector<PricedSettings> spacing_proposals(const std::optional<Measured>& log_ratio, double step,
                                              double width, std::int64_t pairs) {
    if (!log_ratio) return {{}};
    std::vector<PricedSettings> options;
    for (const Measured& ratio : {loosened(*log_ratio, pairs), *log_ratio}) {
        for (const evidence::Spacing& spacing : evidence::spacings(ratio, step, width, 4)) {
            PricedSettings settings{.bits = spacing.bits};
            if (spacing.base.value != 10000) {
                settings.settings.push_back({"base", spacing.base.text});
            }
            if (spacing.shift.value != 0) {
                settings.settings.push_back({"denom-shift", spacing.shift.text});
            }
            const bool is_new = std::ranges::find(options, settings.settings,
                                                  &PricedSettings::settings) == options.end();
            if (is_new) options.push_back(std::move(settings));
        }
    }
    std::ranges::stable_sort(options, {}, &PricedSettings::bits);
    // The last number has all measured digits.
    constexpr std::size_t most = 6;
    if (options.size() > most) options.erase(options.begin() + most - 1, options.end() - 1);
    return options;
}

// The proposals of `sinusoid`, combined from settings that are chosen independently.

/// The waves of a table, without its positions and rows of zeros.
struct SinusoidWaves {
    const evidence::WaveTable& table;
    std::vector<std::int64_t> pair_of_channel;
    std::vector<PricedSettings> channels;  ///< settings that may describe layout and frequencies
    std::vector<std::int64_t> selected{};
    double first_angle = 1;  ///< frequency of the first selected channel, a factor of angles
};

/// The largest sum of ranks in a combination of a setting of the positions and a setting of the
/// frequencies; the cheapest setting has rank 0.
constexpr std::size_t most_ranks = 6;

WaveTable scaled(WaveTable table, double factor) {
    const auto scale = [=](Measured& m) { m = {m.value * factor, m.error * factor}; };
    if (table.steps) {
        scale(table.steps->start);
        scale(table.steps->step);
    }
    for (Measured& position : table.positions) scale(position);
    return table;
}

bool has(const std::vector<Setting>& settings, std::string_view name) {
    return std::ranges::find(settings, name, &Setting::name) != settings.end();
}

/// Adds the proposals for these waves, in all combinations of positions, frequencies and
/// amplitudes.
void add_proposals(std::vector<PricedProposal>& found, const Sample& array,
                   const SinusoidRows& rows, const SinusoidWaves& waves) {
    const std::vector<PricedSettings> finish = finish_proposals(array, rows, waves.table.circle);
    if (finish.empty() || waves.channels.empty()) return;
    const std::vector<PricedSettings> positions =
        row_proposals(scaled(waves.table, waves.first_angle), rows);
    const auto angle =
        evidence::wave_angle(waves.table, rows.zeros_in_front, waves.pair_of_channel);
    const auto of_vector = [angle](std::int64_t channel, std::int64_t) {
        return angle(0, channel);
    };
    for (std::size_t i = 0; i < waves.channels.size(); ++i) {
        for (std::size_t k = 0; k < positions.size() && i + k <= most_ranks; ++k) {
            for (const PricedSettings& last : finish) {
                PricedSettings all = combined(combined(positions[k], waves.channels[i]), last);
                if (!waves.selected.empty()) {
                    all.settings.push_back({"keep-channels", channels_text(waves.selected)});
                }
                found.push_back(
                    {{.settings = all.settings, .angle = array.rank() == 1 ? of_vector : angle},
                     all.bits + (waves.selected.empty() ? 0 : 12)});
            }
        }
    }
}

/// Returns the cheapest proposals, without repetitions.
std::vector<Proposal> distinct(std::vector<PricedProposal> found) {
    std::ranges::stable_sort(found, {}, &PricedProposal::bits);
    constexpr std::size_t most = 36;
    constexpr double too_dear = 80;  // bits
    // Rows at nearly equal distances may also be a list, which costs much more.
    constexpr std::size_t most_lists = 2;
    std::size_t lists = 0;
    std::vector<Proposal> proposals;
    for (PricedProposal& priced : found) {
        if (proposals.size() == most) break;
        if (priced.bits > found.front().bits + too_dear &&
            (!has(priced.proposal.settings, "positions") || ++lists > most_lists)) {
            continue;
        }
        const bool is_new = std::ranges::find(proposals, priced.proposal.settings,
                                              &Proposal::settings) == proposals.end();
        if (is_new) proposals.push_back(std::move(priced.proposal));
    }
    return proposals;
}

constexpr double pi = std::numbers::pi;

// Channels of sines and cosines that have no partner on a circle: each has a frequency of its own.

/// The functions of channels 0, 1, 2, ...: alternating, or one function only.
enum class LoneFunctions { sin_cos, cos_sin, sines, cosines };

/// A range of consecutive rows.
struct LoneRows {
    std::int64_t first;
    std::int64_t count;
    std::optional<std::int64_t> zeros{};  ///< a row of zeros among them, counted from `first`
};

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
    const auto alternating = channel % 2 == 0 ? LoneFunctions::sin_cos : LoneFunctions::cos_sin;
    return functions == LoneFunctions::sines || functions == alternating;
}

/// Replaces the values in a row of zeros by the means of their neighbours, with an infinite error.
void pass_over(Channel& channel, std::size_t row) {
    const std::size_t last = channel.values.size() - 1;
    const double before = channel.values[row == 0 ? std::min<std::size_t>(1, last) : row - 1];
    const double behind = channel.values[row == last ? row - (row > 0 ? 1 : 0) : row + 1];
    channel.values[row] = (before + behind) / 2;
    channel.errors[row] = std::numeric_limits<double>::infinity();
}

/// Returns a selection of the first `count` channels, evenly spread over them.
std::vector<Channel> some_channels(const Sample& array, const LoneRows& rows, std::int64_t count,
                                   LoneFunctions functions) {
    const std::int64_t d = array.extents.back();
    const std::int64_t chosen = std::min(count, most_channels);
    std::vector<Channel> channels;
    for (std::int64_t i = 0; i < chosen; ++i) {
        const std::int64_t index = chosen == count ? i : i * (count - 1) / (chosen - 1);
        Channel channel{.index = index, .is_sine = is_sine(functions, index)};
        for (std::int64_t row = 0; row < std::min(rows.count, most_rows); ++row) {
            const double value = array.values[(rows.first + row) * d + index];
            channel.values.push_back(value);
            channel.errors.push_back(array.error_of(value));
        }
        if (rows.zeros && *rows.zeros < std::ssize(channel.values)) {
            pass_over(channel, *rows.zeros);
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

/// Returns the radius and offset common to all channels, from the channel that shows its amplitude
/// best.
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

/// The angle in row 0, and its advance from row to row.
struct Angle {
    Measured phase;
    Measured advance;  ///< in [-pi, pi]
};

/// Returns the angle of a wave that rises or falls from row to row. A single function does not show
/// the direction: sin(f) = sin(pi - f), and cos(f) = sin(pi/2 + f) = sin(pi/2 - f).
Angle angle_of(const LoneWave& wave, bool is_sine, bool is_rising) {
    const double sign = is_rising ? 1 : -1;
    const double phase = is_sine ? (is_rising ? wave.phase.value : pi - wave.phase.value)
                                 : sign * (wave.phase.value - pi / 2);
    return {{evidence::wrapped(phase), wave.phase.error},
            {sign * wave.advance.value, wave.advance.error}};
}

/// Returns the geometric series of the advances. If fast waves turn by more than half a turn from
/// row to row, which hides their direction, they are left out.
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

/// Returns the waves in the channels, leaving out channels that hold no wave.
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

/// Returns the steps common to all waves, if the advances are about the series `rough`; none
/// otherwise.
std::optional<WaveTable> table_of(const std::vector<Wave>& waves, std::int64_t count,
                                  const evidence::Circle& circle,
                                  const evidence::GeometricSeries& rough) {
    std::vector<Measured> advances(count, unknown);
    std::vector<Measured> phases = advances;
    for (const Wave& wave : waves) {
        // A fast wave may turn so far that it seems to go backwards.
        const double advance = rough.first.value *
                               std::exp(-rough.log_ratio.value * static_cast<double>(wave.channel));
        const Angle angle = angle_of(wave.wave, wave.is_sine, evidence::wrapped(advance) >= 0);
        // A wave of half a turn per row, or a whole turn, seems to stand still.
        const double error =
            std::fabs(advance) * (rough.first.error / std::fabs(rough.first.value));
        const double off = std::fabs(evidence::wrapped(angle.advance.value - advance));
        if (error < 0.1 && off > 0.5) continue;
        advances[wave.channel] = angle.advance;
        phases[wave.channel] = angle.phase;
    }
    for (const evidence::GeometricSeries& series : evidence::geometric_series(advances, 4)) {
        const auto start = evidence::first_of_series(phases, series.log_ratio);
        if (start) {
            return WaveTable{circle, series.log_ratio, evidence::WaveSteps{*start, series.first}};
        }
    }
    return std::nullopt;
}

/// Returns the possible tables of an array in which each of the first `count` channels has its own
/// frequency, the fastest first. None if there are fewer than 6 rows, or if the rows are not at
/// equal distances.
std::vector<WaveTable> lone_channel_tables(const Sample& array, const LoneRows& rows,
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
        std::vector<Measured> advances(count, unknown);
        for (const Wave& wave : waves) {
            advances[wave.channel] = angle_of(wave.wave, wave.is_sine, is_rising).advance;
        }
        for (const evidence::GeometricSeries& rough : series_of(advances)) {
            if (auto table = table_of(waves, count, *circle, rough)) {
                found.push_back(std::move(*table));
            }
        }
    }
    return found;
}

/// The channels of a table with one frequency per channel, by --odd.
struct LoneChannels {
    LoneFunctions functions;
    std::string_view odd;  ///< "" for an even d
    std::int64_t filled;   ///< the channels from this one on are zero
    std::int64_t d;
    std::int64_t width;  ///< the d in the formula of the frequencies

    bool is_half() const {
        return functions == LoneFunctions::sines || functions == LoneFunctions::cosines;
    }
    bool is_cos_first() const {
        return functions == LoneFunctions::cosines || functions == LoneFunctions::cos_sin;
    }
};

std::vector<LoneChannels> lone_channels(std::int64_t d) {
    std::vector<LoneChannels> choices;
    for (const LoneFunctions functions : {LoneFunctions::sin_cos, LoneFunctions::cos_sin}) {
        if (d % 2 == 0) {
            choices.push_back({functions, "", d, d, d});
        } else {
            choices.push_back({functions, "exact", d, d, d});
            choices.push_back({functions, "zero-pad", d - 1, d, d - 1});
            choices.push_back({functions, "round-up", d, d, d + 1});
        }
    }
    choices.push_back({LoneFunctions::sines, "", d, 2 * d, 2 * d});
    choices.push_back({LoneFunctions::cosines, "", d, 2 * d, 2 * d});
    return choices;
}

/// Adds the proposals for frequencies measured channel by channel: --pairing per-channel, and the
/// sines or cosines alone of a table of pairs.
void add_lone(std::vector<PricedProposal>& found, const Sample& array, const SinusoidRows& rows) {
    std::vector<std::int64_t> indices(rows.channels);
    std::iota(indices.begin(), indices.end(), 0);
    for (const LoneChannels& choice : lone_channels(rows.channels)) {
        PricedSettings common = priced("d", fmt::format("{}", choice.d), 0);
        common = combined(common, choice.is_half() ? priced("layout", "halves", 3)
                                                   : priced("pairing", "per-channel", 3));
        if (choice.is_cos_first()) common = combined(common, priced("first", "cos", 3));
        if (!choice.odd.empty())
            common = combined(common, priced("odd", std::string(choice.odd), 3));
        for (const WaveTable& table : lone_channel_tables(
                 array, {rows.zeros_in_front, std::ssize(rows.others), rows.zero_row},
                 choice.filled, choice.functions)) {
            SinusoidWaves waves{.table = table, .pair_of_channel = indices, .channels = {}};
            if (choice.is_half()) waves.selected = indices;
            for (const PricedSettings& spacing :
                 spacing_proposals(table.log_ratio, choice.is_half() ? 2 : 1,
                                   static_cast<double>(choice.width), choice.filled)) {
                waves.channels.push_back(combined(common, spacing));
            }
            add_proposals(found, array, rows, waves);
        }
    }
}

struct Progression {
    Measured first;
    Measured log_ratio;  ///< ln of a frequency divided by the next one
};

/// Returns the geometric progression of the frequencies; none if their ratios differ or a number is
/// not positive.
std::optional<Progression> progression_of(const Sample& array, bool is_wavelengths) {
    const std::vector<double>& values = array.values;
    const auto n = static_cast<double>(values.size());
    const double turn = 2 * std::numbers::pi;
    if (!std::ranges::all_of(values, [](double v) { return v > 0 && std::isfinite(v); })) return {};
    const double share = 2 * array.error_of(values.front()) / values.front() + 0x1p-52;
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto logarithm = [&](std::size_t i) {
        return std::log(is_wavelengths ? turn / values[i] : values[i]);
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        x += static_cast<double>(i);
        y += logarithm(i);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = static_cast<double>(i) - x / n;
        xx += off * off;
        xy += off * (logarithm(i) - y / n);
    }
    const double slope = xy / xx, height = (y - slope * x) / n;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double error =
            array.error_of(values[i]) / values[i] + 0x1p-51 * (1 + std::fabs(logarithm(i)));
        const double drift = array.precision.digits > 24 ? 0 : 0x1p-20;
        const double off = logarithm(i) - height - slope * static_cast<double>(i);
        if (std::fabs(off) > 2 * error + drift) return {};
    }
    const double first = is_wavelengths ? turn / values.front() : values.front();
    return Progression{{first, first * share},
                       {-slope, std::max(2 * share / std::sqrt(xx), 0x1p-46)}};
}

/// A number of channels that a list of frequencies may belong to.
struct Width {
    std::int64_t channels;
    std::int64_t width;  ///< the d in the formula of the frequencies
    double step;
    std::string_view setting;
    std::string_view value;
};

void add(std::vector<Proposal>& found, const Progression& progression, const Width& width,
         std::string_view table) {
    for (const evidence::Spacing& spacing : evidence::spacings(
             progression.log_ratio, width.step, static_cast<double>(width.width), 3)) {
        for (const auto& scale : evidence::simple_numbers(progression.first, 2)) {
            Proposal proposal{.table = table,
                              .settings = {{"d", fmt::format("{}", width.channels)}}};
            const auto set = [&](std::string_view name, std::string_view value) {
                proposal.settings.push_back({name, std::string(value)});
            };
            if (!width.setting.empty()) set(width.setting, width.value);
            if (width.setting == "pairing" && width.channels % 2 != 0) set("odd", "exact");
            if (spacing.base.value != 10000) set("base", spacing.base.text);
            if (spacing.shift.value != 0) set("denom-shift", spacing.shift.text);
            if (scale.value != 1) set("freq-scale", scale.text);
            found.push_back(std::move(proposal));
        }
    }
}

/// Returns the proposals for a vector as the table frequencies or wavelengths of `sinusoid`:
/// falling or rising numbers with a constant ratio.
std::vector<Proposal> sinusoid_frequency_lists(const Sample& array) {
    const std::int64_t n = array.extents[0];
    constexpr std::int64_t most_frequencies = std::int64_t{1} << 19;
    if (array.rank() != 1 || n < 3 || n > most_frequencies || std::ssize(array.values) != n) {
        return {};
    }
    std::vector<Proposal> found;
    for (const std::string_view table : {"frequencies", "wavelengths"}) {
        const auto progression = progression_of(array, table == "wavelengths");
        if (!progression || progression->log_ratio.value < 0) continue;
        for (const Width& width :
             {Width{2 * n, 2 * n, 2, "", ""}, Width{n, n, 1, "pairing", "per-channel"},
              Width{2 * n - 1, 2 * n - 1, 2, "odd", "exact"},
              Width{2 * n - 1, 2 * n, 2, "odd", "round-up"},
              Width{2 * n + 1, 2 * n, 2, "odd", "zero-pad"}}) {
            add(found, *progression, width, table);
        }
    }
    return found;
}

/// Adds the proposals in which the array is a selection of channels from a wider table with the
/// usual base.
void add_cut_channels(std::vector<PricedProposal>& found, const Sample& array,
                      const SinusoidRows& rows, const SinusoidLayout& layout,
                      const WaveTable& table) {
    if (!table.log_ratio || rows.channels % 2 != 0 || rows.channels < 4) return;
    const double log_ratio = table.log_ratio->value;
    const double unit = table.steps ? std::fabs(table.steps->step.value) : 1;
    const double missing = -std::log(unit) / log_ratio;
    std::vector<std::int64_t> firsts{0};
    if (std::fabs(missing - std::rint(missing)) < 0.02 && missing > 0.5 && missing < 4096) {
        firsts.insert(firsts.begin(), std::llrint(missing));
    }
    const double denominator = 2 * std::log(10000.0) / log_ratio;
    const double less = static_cast<double>(rows.channels) - denominator;
    const bool is_uncut = less > -0.02 && less < 2.02;
    if (is_uncut) return;
    for (const double shift : {0.0, 2.0, 1.0}) {
        const double width = denominator + shift;
        const std::int64_t d = std::llrint(width / 2) * 2;
        if (std::fabs(width - static_cast<double>(d)) > 0.02 || d <= rows.channels || d > 65536) {
            continue;
        }
        for (const std::int64_t first : firsts) {
            if (2 * first + rows.channels > d) continue;
            PricedSettings settings = layout_settings(layout, d);
            if (shift != 0)
                settings = combined(settings, priced("denom-shift", shift == 1 ? "1" : "2", 4));
            SinusoidWaves waves{.table = table,
                                .pair_of_channel = layout.pair_of_channel,
                                .channels = {settings},
                                .first_angle = std::exp(log_ratio * static_cast<double>(first))};
            for (std::int64_t c = 0; c < rows.channels; ++c) {
                const std::int64_t pair = first + layout.pair_of_channel[c];
                const bool is_second = layout.has_halves ? c >= rows.channels / 2 : c % 2 == 1;
                waves.selected.push_back(layout.has_halves ? pair + (is_second ? d / 2 : 0)
                                                           : 2 * pair + (is_second ? 1 : 0));
            }
            add_proposals(found, array, rows, waves);
        }
    }
}

/// Adds the proposals of the usual frequencies and positions, of which only the amplitude is
/// measured: other measured numbers would fit the noise of an array.
void add_usual(std::vector<PricedProposal>& found, const Sample& array, const SinusoidRows& rows,
               const SinusoidLayout& layout) {
    const auto circle =
        evidence::common_circle(evidence::pairs_of(array, rows.others, layout.pairs));
    if (!circle) return;
    for (const std::int64_t shift : {0, 2, 1}) {
        if (shift >= layout.width) continue;
        const double log_ratio = 2 * std::log(10000.0) / static_cast<double>(layout.width - shift);
        PricedSettings channels = layout_settings(layout, rows.channels);
        if (shift != 0) {
            channels = combined(channels, priced("denom-shift", fmt::format("{}", shift), 4));
        }
        for (const double start : {0.0, 1.0}) {
            const WaveTable table{*circle, Measured{log_ratio, 0},
                                  evidence::WaveSteps{{start, 0}, {1, 0}}};
            add_proposals(found, array, rows,
                          {.table = table,
                           .pair_of_channel = layout.pair_of_channel,
                           .channels = {channels}});
        }
    }
}

void add_shared(std::vector<PricedProposal>& found, const Sample& array, const SinusoidRows& rows) {
    const bool is_padded = has_constant_end(array, rows);
    for (const SinusoidLayout& layout : sinusoid_layouts(rows.channels)) {
        const bool is_clear = rows.others.size() > 1 && !layout.odd.empty();
        if (is_clear && is_padded != (layout.odd == "zero-pad")) continue;
        if (array.noise > 0) add_usual(found, array, rows, layout);
        const auto pairs = std::ssize(layout.pairs);
        const auto width = static_cast<double>(layout.width);
        for (const WaveTable& table : evidence::wave_tables(array, rows.others, layout.pairs)) {
            std::vector<PricedSettings> channels;
            for (const PricedSettings& spacing :
                 spacing_proposals(table.log_ratio, 2, width, pairs)) {
                channels.push_back(combined(layout_settings(layout, rows.channels), spacing));
            }
            add_proposals(found, array, rows,
                          {.table = table,
                           .pair_of_channel = layout.pair_of_channel,
                           .channels = std::move(channels)});
            add_cut_channels(found, array, rows, layout, table);
        }
    }
}

/// Adds copies of the cheapest proposals with float32 arithmetic.
std::vector<Proposal> with_float32(std::vector<Proposal> proposals, const Sample& array) {
    constexpr std::size_t most_in_float32 = 4;
    if (array.precision.digits > 24) return proposals;
    const std::size_t count = proposals.size();
    for (std::size_t i = 0, added = 0; i < count && added < most_in_float32; ++i) {
        const std::vector<Setting>& settings = proposals[i].settings;
        if (has(settings, "standardize")) continue;
        const auto base = std::ranges::find(settings, "base", &Setting::name);
        if (base != settings.end() && evidence::bits_of_number(base->value) > 14) continue;
        for (const char* arith : {"float32", "float32-pow"}) {
            Proposal in_float32 = proposals[i];
            in_float32.settings.push_back({"arith", arith});
            proposals.push_back(std::move(in_float32));
        }
        ++added;
    }
    return proposals;
}

}  // namespace

/// Returns the proposals of `sinusoid` for an array: its table encoding, a row of it or a part of
/// its channels, or its tables frequencies and wavelengths.
std::vector<Proposal> recognize_sinusoid(const Sample& array) {
    if (array.rank() > 2 || !is_floating(array.table.dtype)) return {};
    if (array.rank() == 1) {
        std::vector<Proposal> lists = sinusoid_frequency_lists(array);
        if (!lists.empty()) return lists;
    }
    const SinusoidRows rows = sinusoid_rows_of(array);
    if (rows.others.empty() || rows.channels < 2 || rows.channels > 65536) return {};
    std::vector<PricedProposal> found;
    add_shared(found, array, rows);
    if (found.empty() && array.rank() == 2) add_lone(found, array, rows);
    return with_float32(distinct(std::move(found)), array);
}

}  // namespace pegen::recognition
