#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "recognition/rotary/frequency_fit.h"

// The scalings that keep fast pairs and divide slow ones, with a ramp between the two. Their
// numbers are those of published models, compared with the measured frequencies.
namespace pegen::recognition {
namespace {

using Frequencies = std::span<const Measured>;
using Found = std::vector<PricedSettings>;

constexpr double turn = 2 * std::numbers::pi;

/// The lengths that models were trained with, the most frequent first.
constexpr std::array lengths{4096.0,  8192.0, 2048.0,   32768.0, 16384.0,
                             65536.0, 1024.0, 131072.0, 262144.0};

/// A ramp from the pairs that are kept, up to `low`, to the pairs that are divided, from `high` on.
/// `low` and `high` may be fractions.
struct PairRamp {
    double low;
    double high;

    /// Returns the share of the division that a pair has, from 0 to 1.
    double at(std::size_t pair) const {
        return std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
    }
};

/// A base and a factor, and the possible shares of the division by the factor for each pair.
struct Ramping {
    SimpleNumber base;
    SimpleNumber factor;
    std::vector<evidence::Bounds> shares;  ///< by pair: 0 if kept, 1 if divided
    double log_step;  ///< ln(base) / pairs: the step of log frequency without scaling

    std::size_t pairs() const { return shares.size(); }
    /// Returns the frequency of a pair without scaling.
    double frequency(std::size_t pair) const {
        return std::exp(-log_step * static_cast<double>(pair));
    }
    /// True if each pair may have the share that `share_of` returns.
    template <class ShareOf>
    bool has(const ShareOf& share_of) const {
        for (std::size_t m = 0; m < pairs(); ++m) {
            if (!shares[m].contains(share_of(m))) return false;
        }
        return true;
    }
    /// Returns the ramp from the pair with `fast` turns in `length` positions to the pair with
    /// `slow` turns, bounded as in the code of YaRN's authors. `truncate` rounds the ends to whole
    /// pairs.
    PairRamp ramp_of_turns(double length, double fast, double slow, bool truncate) const {
        const auto pair_of = [&](double turns) {
            return std::log(length / (turns * turn)) / log_step;
        };
        double low = pair_of(fast), high = pair_of(slow);
        if (truncate) low = std::floor(low), high = std::ceil(high);
        low = std::max(low, 0.0);
        high = std::min(high, static_cast<double>(2 * pairs() - 1));
        return {low, low == high ? high + 0.001 : high};
    }
    PricedSettings settings(std::string_view type, double length) const {
        PricedSettings result = scaled(type, base);
        add(result, "factor", factor);
        add(result, "original-max-position-embeddings", usual_number(length));
        return result;
    }
};

/// Returns the base and the factor with each pair's shares, found from `ratios`, the measured
/// frequencies divided by the frequencies that the base has without scaling.
Ramping ramping_of(Frequencies ratios, const SimpleNumber& base, double factor) {
    Ramping ramping{
        base, usual_number(factor), {}, std::log(base.value) / static_cast<double>(ratios.size())};
    const double range = 1 - 1 / factor;
    for (const Measured& ratio : ratios) {
        ramping.shares.push_back({(1 - ratio.value - ratio.error) / range - 1e-14,
                                  (1 - ratio.value + ratio.error) / range + 1e-14});
    }
    return ramping;
}

void add_unless(PricedSettings& settings, std::string_view name, double number, double usual) {
    if (number != usual) add(settings, name, usual_number(number));
}

/// The numbers of turns between which a ramp is: pairs with more turns than `fast` in the original
/// length are kept, pairs with fewer than `slow` are divided.
struct RampTurns {
    double fast;
    double slow;
};

constexpr RampTurns yarn_turns{32, 1}, llama3_turns{4, 1};

/// Adds the settings of YaRN that agree with the ramping; at most `most` lengths, since several
/// lengths may make the same frequencies.
void add_yarn(Found& found, const Ramping& ramping, const RampTurns& turns, int most) {
    for (const bool truncate : {true, false}) {
        int count = 0;
        for (const double length : lengths) {
            const PairRamp ramp = ramping.ramp_of_turns(length, turns.fast, turns.slow, truncate);
            if (!ramping.has([&](std::size_t m) { return ramp.at(m); })) continue;
            found.push_back(ramping.settings("yarn", length));
            if (!truncate) add_flag(found.back(), "no-truncate");
            add_unless(found.back(), "beta-fast", turns.fast, yarn_turns.fast);
            add_unless(found.back(), "beta-slow", turns.slow, yarn_turns.slow);
            if (++count == most) break;
        }
    }
}

/// Adds the settings of llama3 that agree with the ramping; at most `most` lengths.
void add_llama3(Found& found, const Ramping& ramping, const RampTurns& ends, int most) {
    int count = 0;
    for (const double length : {8192.0, 4096.0, 2048.0, 32768.0}) {
        const auto share = [&](std::size_t m) {
            const double turns = length * ramping.frequency(m) / turn;
            if (ends.fast == ends.slow) return turns > ends.fast ? 0.0 : 1.0;
            return std::clamp((ends.fast - turns) / (ends.fast - ends.slow), 0.0, 1.0);
        };
        if (!ramping.has(share)) continue;
        found.push_back(ramping.settings("llama3", length));
        add_unless(found.back(), "high-freq-factor", ends.fast, llama3_turns.fast);
        add_unless(found.back(), "low-freq-factor", ends.slow, llama3_turns.slow);
        if (++count == most) return;
    }
}

/// Adds the settings of YaRN and of llama3 with another number of turns at one end of the ramp, as
/// code has them by mistake.
void add_with_other_turns(Found& found, const Ramping& ramping) {
    for (const double fast : {16.0, 64.0, 8.0, 24.0, 48.0, 4.0, 2.0}) {
        add_yarn(found, ramping, {fast, yarn_turns.slow}, 1);
    }
    for (const double slow : {2.0, 4.0, 8.0}) {
        add_yarn(found, ramping, {yarn_turns.fast, slow}, 1);
        if (slow < llama3_turns.fast) add_llama3(found, ramping, {llama3_turns.fast, slow}, 1);
    }
    for (const double fast : {8.0, 2.0, 16.0, 32.0}) {
        add_llama3(found, ramping, {fast, llama3_turns.slow}, 1);
    }
}

/// Adds the settings of NTK by parts, whose divisor is itself a mixture of two.
void add_part_ntk(Found& found, const Ramping& ramping) {
    const double factor = ramping.factor.value;
    const double log_stretch = std::log(factor) / static_cast<double>(ramping.pairs() - 1);
    for (const double length : lengths) {
        const PairRamp to_linear = ramping.ramp_of_turns(length, 1.25, 0.75, true);
        const PairRamp from_original = ramping.ramp_of_turns(length, 16, 2, true);
        const auto share = [&](std::size_t m) {
            const double stretched = std::exp(-log_stretch * static_cast<double>(m));
            const double linear = to_linear.at(m);
            const double scaled = stretched * (1 - linear) + linear / factor;
            return from_original.at(m) * (1 - scaled) / (1 - 1 / factor);
        };
        if (!ramping.has(share)) continue;
        found.push_back(ramping.settings("part-ntk", length));
        return;
    }
}

/// Returns the bases that the fast pairs show, as far as they are kept, and the bases of published
/// models.
std::vector<SimpleNumber> possible_bases(Frequencies frequencies) {
    std::size_t kept = 2;
    while (kept < frequencies.size() && !base_bounds(frequencies, kept + 1).is_empty()) ++kept;
    std::vector<SimpleNumber> bases;
    const auto add = [&](const SimpleNumber& base) {
        const bool is_new =
            std::ranges::find(bases, base.value, &SimpleNumber::value) == bases.end();
        if (base.value > 1 && is_new) bases.push_back(base);
    };
    // The first pairs of the ramp may be so close to their unscaled frequencies that they narrow
    // the bounds wrongly.
    for (const std::size_t count : {kept, 3 * kept / 4, kept / 2}) {
        if (count < 2) break;
        for (const SimpleNumber& base : bases_within(base_bounds(frequencies, count), 2)) add(base);
    }
    for (const double base : known_bases()) add(usual_number(base));
    return bases;
}

/// True if each ratio is 1 (kept), 1 / factor (divided), or between the two.
bool are_divided_by(double factor, const std::vector<Measured>& ratios) {
    return std::ranges::all_of(ratios, [=](const Measured& ratio) {
        const auto [low, high] = evidence::bounds_of(ratio);
        return low <= 1 + 1e-14 && high >= (1 - 1e-14) / factor;
    });
}

/// True if there are enough frequencies, or two exact ones, to distinguish ramps.
bool may_show_ramp(Frequencies frequencies) {
    constexpr std::size_t fewest = 3, most = 1024;
    constexpr double exact = 1e-5;
    if (frequencies.size() > most) return false;
    return frequencies.size() >= fewest ||
           (frequencies.size() == 2 && frequencies[1].error < exact * frequencies[1].value);
}

}  // namespace

std::vector<PricedSettings> ramps(Frequencies frequencies) {
    Found found;
    if (!may_show_ramp(frequencies)) return found;
    const evidence::Bounds fastest = evidence::bounds_of(frequencies.front());
    if (fastest.contains(1)) {
        for (const SimpleNumber& base : possible_bases(frequencies)) {
            const std::vector<Measured> ratios = ratios_to(base.value, frequencies);
            for (const double factor : known_factors()) {
                if (!are_divided_by(factor, ratios)) continue;
                const Ramping ramping = ramping_of(ratios, base, factor);
                const std::size_t before = found.size();
                for (const double fast : {llama3_turns.fast, 1.0}) {
                    add_llama3(found, ramping, {fast, llama3_turns.slow}, 2);
                }
                add_yarn(found, ramping, yarn_turns, 2);
                add_part_ntk(found, ramping);
                if (found.size() == before) add_with_other_turns(found, ramping);
            }
        }
        return found;
    }
    // With a small base all pairs may be slow, and yarn then divides even the fastest pair.
    for (const double factor : known_factors()) {
        if (!fastest.contains(1 / factor)) continue;
        const evidence::Bounds bounds = base_bounds(frequencies, frequencies.size(), factor);
        for (const SimpleNumber& base : bases_within(bounds, 2)) {
            if (base.value <= 1) continue;
            add_yarn(found, ramping_of(ratios_to(base.value, frequencies), base, factor),
                     yarn_turns, 2);
        }
    }
    return found;
}

std::vector<PricedSettings> hidden_ramps(Frequencies frequencies, const SimpleNumber& base) {
    Found found;
    if (!may_show_ramp(frequencies) || base.value <= 1) return found;
    const std::vector<Measured> ratios = ratios_to(base.value, frequencies);
    for (const double factor : {8.0, 32.0})
        add_llama3(found, ramping_of(ratios, base, factor), llama3_turns, 1);
    add_yarn(found, ramping_of(ratios, base, 40), yarn_turns, 1);
    return found;
}

}  // namespace pegen::recognition
