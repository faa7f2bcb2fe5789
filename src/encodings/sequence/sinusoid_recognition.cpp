#include "encodings/sequence/sinusoid_recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/to_size.h"
#include "encodings/parameters/position_proposals.h"
#include "encodings/sequence/sinusoid_frequency_lists.h"
#include "encodings/sequence/sinusoid_layouts.h"
#include "encodings/sequence/sinusoid_lone_channels.h"
#include "evidence/spacing.h"
#include "evidence/wave_table.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::Setting;
using evidence::WaveTable;

constexpr std::size_t most_proposals = 36;

/// Of the ways to say positions and frequencies, both are taken as far as their ranks, the cheapest
/// being 0, add up to this.
constexpr std::size_t most_ranks = 6;

/// Code in float32 has frequencies that are off by this share.
constexpr double float32_share = 0x1p-20;

/// An array as rows of channels; a vector is one row.
struct Rows {
    std::int64_t count;
    std::int64_t channels;
    std::int64_t zeros_in_front = 0;
    std::optional<std::int64_t> zero_row{};  ///< the first one behind those
    std::vector<std::int64_t> others{};      ///< all rows behind the zeros in front
};

bool is_zero_row(const Sample& array, std::int64_t row, std::int64_t channels) {
    const auto begin = array.values.begin() + row * channels;
    return std::all_of(begin, begin + channels, [](double value) { return value == 0; });
}

Rows rows_of(const Sample& array) {
    Rows rows{.count = array.rank() == 1 ? 1 : array.extents[0], .channels = array.extents.back()};
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

/// Settings that are chosen independently of each other.
using Options = std::vector<PricedSettings>;

PricedSettings joined(const PricedSettings& a, const PricedSettings& b) {
    PricedSettings both = a;
    both.settings.insert(both.settings.end(), b.settings.begin(), b.settings.end());
    both.bits += b.bits;
    return both;
}

PricedSettings one(std::string_view name, std::string value, double bits) {
    return {{{name, std::move(value)}}, bits};
}

/// Returns the mean and the unbiased deviation of the values behind rows of zeros.
Measured moments(const Sample& array, const Rows& rows) {
    double n = 0, sum = 0, squares = 0;
    const auto each = [&](const auto& use) {
        for (const std::int64_t row : rows.others) {
            if (rows.zero_row == row - rows.zeros_in_front) continue;
            for (std::int64_t c = 0; c < rows.channels; ++c) {
                use(array.values[to_size(row * rows.channels + c)]);
            }
        }
    };
    each([&](double value) {
        n += 1;
        sum += value;
    });
    const double mean = sum / n;
    each([&](double value) { squares += (value - mean) * (value - mean); });
    return {mean, std::sqrt(squares / (n - 1))};
}

/// Returns the ways to say the amplitude and the offset of the waves.
Options finishes(const Sample& array, const Rows& rows, const evidence::Circle& circle) {
    if (circle.offset.value != 0) {
        const auto [mean, deviation] = moments(array, rows);
        if (!(std::fabs(mean) < 0.2 * deviation)) return {};
        Options options;
        // The deviation was that of all rows, before one of them became zero.
        const double zeros = rows.zero_row || rows.zeros_in_front > 0
                                 ? 2 / static_cast<double>(rows.others.size())
                                 : 0;
        const double error = std::min(1e-3 + zeros, 0.5) / deviation;
        for (const auto& number : evidence::simple_numbers({1 / deviation, error}, 3)) {
            if (number.value > 0) options.push_back(one("standardize", number.text, number.bits));
        }
        return options;
    }
    const auto d = static_cast<double>(rows.channels);
    const Measured amplitude{
        circle.radius.value,
        std::max(circle.radius.error, float32_share * circle.radius.value / 4)};
    const auto is_near = [&](double value) {
        return std::fabs(amplitude.value - value) <= amplitude.error;
    };
    if (is_near(1)) return {{}};
    Options options;
    if (is_near(1 / std::sqrt(d))) options.push_back(one("out-scale", "1/sqrt(d)", 4));
    if (is_near(std::sqrt(2 / d))) options.push_back(one("out-scale", "sqrt(2/d)", 4));
    for (const auto& number : evidence::simple_numbers(amplitude, 2)) {
        options.push_back(one("out-scale", number.text, 4 + number.bits));
    }
    if (options.size() > 2) options.resize(2);
    return options;
}

/// The ratio of neighbouring frequencies with the error that float32 code makes.
Measured loosened(const Measured& log_ratio, std::int64_t pairs) {
    const double share = float32_share / static_cast<double>(std::max<std::int64_t>(pairs - 1, 1));
    return {log_ratio.value, std::max(2 * log_ratio.error, share)};
}

Options spacing_options(const std::optional<Measured>& log_ratio, double step, double width,
                        std::int64_t pairs) {
    if (!log_ratio) return {{}};
    Options options;
    for (const Measured& ratio : {loosened(*log_ratio, pairs), *log_ratio}) {
        for (const evidence::Spacing& spacing : evidence::spacings(ratio, step, width, 4)) {
            PricedSettings settings{.bits = spacing.bits};
            if (spacing.base.value != 10000) {
                settings.settings.push_back({"base", spacing.base.text});
            }
            if (spacing.shift.value != 0) {
                settings.settings.push_back({"denom-shift", spacing.shift.text});
            }
            const bool is_new = std::ranges::none_of(options, [&](const PricedSettings& other) {
                return std::ranges::equal(other.settings, settings.settings,
                                          [](const Setting& a, const Setting& b) {
                                              return a.name == b.name && a.value == b.value;
                                          });
            });
            if (is_new) options.push_back(std::move(settings));
        }
    }
    std::ranges::stable_sort(options, {}, &PricedSettings::bits);
    // The last one has all digits that were measured.
    constexpr std::size_t most = 6;
    if (options.size() > most) options.erase(options.begin() + most - 1, options.end() - 1);
    return options;
}

std::vector<double> usual_log_ratios(double width) {
    std::vector<double> ratios;
    for (const double base : {10000.0, 100.0, 1000.0, 20.0, 500000.0, 1000000.0}) {
        for (const double shift : {0.0, 2.0, 1.0}) {
            if (width > shift) ratios.push_back(2 * std::log(base) / (width - shift));
        }
    }
    return ratios;
}

/// What is known of a table but its positions and its zeros.
struct Waves {
    const WaveTable& table;
    std::vector<std::int64_t> pair_of_channel;
    Options channels;  ///< all ways to say the layout and the frequencies
    std::vector<std::int64_t> selected{};
    double first_angle = 1;  ///< factor of angles: the selected channels' first frequency
};

WaveTable scaled(WaveTable table, double factor) {
    const auto scale = [=](Measured& m) { m = {m.value * factor, m.error * factor}; };
    if (table.steps) {
        scale(table.steps->start);
        scale(table.steps->step);
    }
    for (Measured& position : table.positions) scale(position);
    return table;
}

/// The table with its first row one earlier.
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

/// Returns the position of a row as the settings have it; none if it is not in them.
std::optional<double> position_of(const std::vector<Setting>& settings, std::int64_t row,
                                  std::int64_t rows) {
    double start = 0, step = 1;
    bool is_reversed = false;
    for (const Setting& setting : settings) {
        if (setting.name == "positions") return std::nullopt;
        if (setting.name == "start") start = std::stod(setting.value);
        if (setting.name == "step") step = std::stod(setting.value);
        if (setting.name == "reverse") is_reversed = true;
    }
    return start + step * static_cast<double>(is_reversed ? rows - 1 - row : row);
}

/// Puts a position that no other row has into a list, in the place of the row of zeros.
std::string with_unused_position(std::string& list, std::int64_t row) {
    std::vector<std::string> items;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        items.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    std::int64_t unused = 0;
    items[to_size(row)].clear();
    while (std::ranges::find(items, fmt::format("{}", unused)) != items.end()) ++unused;
    items[to_size(row)] = fmt::format("{}", unused);
    list = fmt::format("{}", fmt::join(items, ","));
    return items[to_size(row)];
}

/// Returns the ways to say the positions, the rows of zeros in front and the zero row.
Options row_options(const WaveTable& table, const Rows& rows) {
    Options options;
    // A single row of zeros may be the position of --zero-row, or be in front.
    struct Zeros {
        std::int64_t in_front;
        std::optional<std::int64_t> row;
    };
    std::vector<Zeros> choices{{rows.zeros_in_front, rows.zero_row}};
    if (rows.zeros_in_front > 0 && !rows.zero_row) {
        choices.push_back({rows.zeros_in_front - 1, 0});
    }
    for (const Zeros& zeros : choices) {
        const bool is_extended = zeros.in_front < rows.zeros_in_front;
        const WaveTable positions = is_extended ? with_row_before(table) : table;
        const std::int64_t count = rows.count - zeros.in_front;
        for (PricedSettings& settings : position_proposals(positions, count)) {
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

bool has(const std::vector<Setting>& settings, std::string_view name) {
    return std::ranges::find(settings, name, &Setting::name) != settings.end();
}

struct PricedProposal {
    Proposal proposal;
    double bits;
};

void add_proposals(std::vector<PricedProposal>& found, const Sample& array, const Rows& rows,
                   const Waves& waves) {
    const Options finish = finishes(array, rows, waves.table.circle);
    if (finish.empty() || waves.channels.empty()) return;
    const Options positions = row_options(scaled(waves.table, waves.first_angle), rows);
    const auto angle =
        evidence::wave_angle(waves.table, rows.zeros_in_front, waves.pair_of_channel);
    const auto of_vector = [angle](std::int64_t channel, std::int64_t) {
        return angle(0, channel);
    };
    for (std::size_t i = 0; i < waves.channels.size(); ++i) {
        for (std::size_t k = 0; k < positions.size() && i + k <= most_ranks; ++k) {
            for (const PricedSettings& last : finish) {
                const PricedSettings all = joined(joined(positions[k], waves.channels[i]), last);
                found.push_back({{.settings = all.settings,
                                  .channels = waves.selected,
                                  .angle = array.rank() == 1 ? of_vector : angle},
                                 all.bits + (waves.selected.empty() ? 0 : 12)});
            }
        }
    }
}

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

/// Adds the channels of a wider table of the usual base that the array may have been cut out of.
void add_cut_channels(std::vector<PricedProposal>& found, const Sample& array, const Rows& rows,
                      const SinusoidLayout& layout, const WaveTable& table) {
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
                settings = joined(settings, one("denom-shift", shift == 1 ? "1" : "2", 4));
            Waves waves{.table = table,
                        .pair_of_channel = layout.pair_of_channel,
                        .channels = {settings},
                        .first_angle = std::exp(log_ratio * static_cast<double>(first))};
            for (std::int64_t c = 0; c < rows.channels; ++c) {
                const std::int64_t pair = first + layout.pair_of_channel[to_size(c)];
                const bool is_second = layout.has_halves ? c >= rows.channels / 2 : c % 2 == 1;
                waves.selected.push_back(layout.has_halves ? pair + (is_second ? d / 2 : 0)
                                                           : 2 * pair + (is_second ? 1 : 0));
            }
            add_proposals(found, array, rows, waves);
        }
    }
}

/// True if the last channel may be that of --odd zero-pad: zero, unless it is standardised.
bool has_constant_end(const Sample& array, const Rows& rows) {
    std::optional<double> last;
    for (std::size_t i = 0; i < rows.others.size(); ++i) {
        if (rows.zero_row == static_cast<std::int64_t>(i)) continue;
        const double value = array.values[to_size((rows.others[i] + 1) * rows.channels - 1)];
        if (last && *last != value) return false;
        last = value;
    }
    return true;
}

void add_shared(std::vector<PricedProposal>& found, const Sample& array, const Rows& rows) {
    const bool is_padded = has_constant_end(array, rows);
    for (const SinusoidLayout& layout : sinusoid_layouts(rows.channels)) {
        const bool is_clear = rows.others.size() > 1 && !layout.odd.empty();
        if (is_clear && is_padded != (layout.odd == "zero-pad")) continue;
        const auto pairs = std::ssize(layout.pairs);
        const auto width = static_cast<double>(layout.width);
        for (const WaveTable& table :
             evidence::wave_tables(array, rows.others, layout.pairs, usual_log_ratios(width))) {
            Options channels;
            for (const PricedSettings& spacing :
                 spacing_options(table.log_ratio, 2, width, pairs)) {
                channels.push_back(joined(layout_settings(layout, rows.channels), spacing));
            }
            add_proposals(found, array, rows,
                          {.table = table,
                           .pair_of_channel = layout.pair_of_channel,
                           .channels = std::move(channels)});
            add_cut_channels(found, array, rows, layout, table);
        }
    }
}

/// What a --odd makes of channels that have a frequency each.
struct LoneChannels {
    LoneFunctions functions;
    std::string_view odd;  ///< "" for an even d
    std::int64_t filled;   ///< the channels behind these are zero
    std::int64_t d;
    std::int64_t width;  ///< the d of the formula

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

/// Adds tables in which each channel has a frequency of its own: --pairing per-channel, and the
/// sines or the cosines alone of a table of pairs.
void add_lone(std::vector<PricedProposal>& found, const Sample& array, const Rows& rows) {
    std::vector<std::int64_t> indices(to_size(rows.channels));
    std::iota(indices.begin(), indices.end(), 0);
    for (const LoneChannels& choice : lone_channels(rows.channels)) {
        PricedSettings common = one("d", fmt::format("{}", choice.d), 0);
        common = joined(common, choice.is_half() ? one("layout", "halves", 3)
                                                 : one("pairing", "per-channel", 3));
        if (choice.is_cos_first()) common = joined(common, one("first", "cos", 3));
        if (!choice.odd.empty()) common = joined(common, one("odd", std::string(choice.odd), 3));
        for (const WaveTable& table : lone_channel_tables(
                 array, {rows.zeros_in_front, std::ssize(rows.others), rows.zero_row},
                 choice.filled, choice.functions)) {
            Waves waves{.table = table, .pair_of_channel = indices, .channels = {}};
            if (choice.is_half()) waves.selected = indices;
            for (const PricedSettings& spacing :
                 spacing_options(table.log_ratio, choice.is_half() ? 2 : 1,
                                 static_cast<double>(choice.width), choice.filled)) {
                waves.channels.push_back(joined(common, spacing));
            }
            add_proposals(found, array, rows, waves);
        }
    }
}

/// Adds the usual tables with a frequency for each channel, where the rows are too few to measure
/// frequencies.
void add_usual_per_channel(std::vector<PricedProposal>& found, const Sample& array,
                           const Rows& rows) {
    constexpr std::int64_t many_rows = 64;
    const bool is_bounded =
        std::ranges::all_of(array.values, [](double v) { return std::fabs(v) <= 1.01; });
    if (!is_bounded || rows.count > many_rows) return;
    const std::string_view odd = rows.channels % 2 == 0          ? "error"
                                 : has_constant_end(array, rows) ? "zero-pad"
                                                                 : "exact";
    const std::int64_t width = rows.channels - (odd == "zero-pad" ? 1 : 0);
    for (const double base : {1e4, 1e8}) {
        for (const std::int64_t shift : {0, 1, 2}) {
            if (shift >= width) continue;
            PricedSettings channels{.settings = {{"d", fmt::format("{}", rows.channels)},
                                                 {"pairing", "per-channel"},
                                                 {"base", fmt::format("{:.0f}", base)},
                                                 {"denom-shift", fmt::format("{}", shift)},
                                                 {"odd", std::string(odd)}}};
            for (const std::string_view first : {"sin", "cos"}) {
                for (const bool is_falling : {false, true}) {
                    for (const std::int64_t lowest : {0, 1, 2}) {
                        const std::int64_t last = lowest + std::ssize(rows.others) - 1;
                        const auto start = static_cast<double>(is_falling ? last : lowest);
                        const WaveTable table{
                            .circle = {{1, 1e-12}, {0, 0}},
                            .log_ratio =
                                Measured{std::log(base) / static_cast<double>(width - shift), 0},
                            .steps = evidence::WaveSteps{{start, 0}, {is_falling ? -1.0 : 1.0, 0}}};
                        std::vector<std::int64_t> indices(to_size(rows.channels));
                        std::iota(indices.begin(), indices.end(), 0);
                        add_proposals(
                            found, array, rows,
                            {.table = table,
                             .pair_of_channel = std::move(indices),
                             .channels = {joined(channels, one("first", std::string(first), 3))}});
                    }
                }
            }
        }
    }
}

bool are_same(const Proposal& a, const Proposal& b) {
    const auto is_same = [](const Setting& x, const Setting& y) {
        return x.name == y.name && x.value == y.value;
    };
    return a.channels == b.channels && std::ranges::equal(a.settings, b.settings, is_same);
}

/// Returns the cheapest proposals without repetitions.
std::vector<Proposal> cheapest(std::vector<PricedProposal> found, std::size_t most) {
    std::ranges::stable_sort(found, {}, &PricedProposal::bits);
    constexpr double too_dear = 80;  // bits
    std::vector<Proposal> proposals;
    for (PricedProposal& priced : found) {
        if (proposals.size() == most) break;
        if (priced.bits > found.front().bits + too_dear) break;
        const bool is_new = std::ranges::none_of(
            proposals, [&](const Proposal& other) { return are_same(other, priced.proposal); });
        if (is_new) proposals.push_back(std::move(priced.proposal));
    }
    return proposals;
}

/// Adds, to the cheapest proposals, the same in float32 arithmetic.
std::vector<Proposal> with_float32(std::vector<Proposal> proposals, const Sample& array) {
    constexpr std::size_t most_in_float32 = 4;
    if (array.precision.digits > 24) return proposals;
    const std::size_t count = proposals.size();
    for (std::size_t i = 0, added = 0; i < count && added < most_in_float32; ++i) {
        const std::vector<Setting>& settings = proposals[i].settings;
        if (has(settings, "freq-scale") || has(settings, "standardize")) continue;
        const auto base = std::ranges::find(settings, "base", &Setting::name);
        if (base != settings.end() && evidence::bits_of_number(base->value) > 14) continue;
        Proposal in_float32 = proposals[i];
        in_float32.settings.push_back({"arith", "float32"});
        proposals.push_back(std::move(in_float32));
        ++added;
    }
    return proposals;
}

}  // namespace

std::vector<Proposal> recognize_sinusoid(const Sample& array) {
    if (array.rank() > 2 || !is_floating(array.table.dtype)) return {};
    if (array.rank() == 1) {
        std::vector<Proposal> lists = sinusoid_frequency_lists(array);
        if (!lists.empty()) return lists;
    }
    const Rows rows = rows_of(array);
    if (rows.others.empty() || rows.channels < 2 || rows.channels > 65536) return {};
    std::vector<PricedProposal> found;
    add_shared(found, array, rows);
    if (found.empty() && array.rank() == 2) add_lone(found, array, rows);
    std::size_t most = most_proposals;
    if (found.empty() && array.rank() == 2) {
        add_usual_per_channel(found, array, rows);
        most = 96;
    }
    return with_float32(cheapest(std::move(found), most), array);
}

}  // namespace pegen::encodings
