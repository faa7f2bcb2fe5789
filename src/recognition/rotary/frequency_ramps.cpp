#include <algorithm>
#include <cmath>
#include <optional>

#include "core/number.h"
#include "recognition/rotary/ramping.h"

// The scalings that keep fast pairs and divide slow ones, with a ramp between the two.
namespace pegen::recognition {
namespace {

using evidence::Measured;
using evidence::SimpleNumber;

using Frequencies = std::span<const Measured>;
using Found = std::vector<RopeSettings>;

/// True if the ratios, within their errors, start at 1 or below and never rise, and some fall below
/// 1.
bool is_ramp(const std::vector<Measured>& ratios) {
    double least = 1;
    for (const Measured& ratio : ratios) {
        const auto [low, high] = evidence::bounds_of(ratio);
        if (low > least || !(high > 0)) return false;
        least = std::min(least, high);
    }
    return least < 1;
}

struct Beta {
    std::string_view name;
    double usual;
};

constexpr Beta fast{"beta-fast", 32}, slow{"beta-slow", 1};

/// Returns the numbers of turns in `length` positions of the pairs within these bounds, which may
/// be fractions.
evidence::Bounds turns_within(const Ramping& ramping, const evidence::Bounds& pairs,
                              double length) {
    return {length * ramping.frequency(pairs.high) / turn,
            length * ramping.frequency(pairs.low) / turn};
}

/// Adds the settings of YaRN with which the pair of beta-fast turns lies within `low` and the pair
/// of beta-slow turns within `high`.
void add_yarn(Found& found, const Ramping& ramping, const evidence::Bounds& low,
              const evidence::Bounds& high, bool truncate) {
    const auto lengths_of = [&](const evidence::Bounds& pairs, double turns) {
        return evidence::Bounds{turns * turn / ramping.frequency(pairs.low),
                                turns * turn / ramping.frequency(pairs.high)};
    };
    // Without truncation, the ends of the ramp must agree with the measured shares.
    const auto add_with = [&](const SimpleNumber& length, const Beta& beta,
                              const std::optional<SimpleNumber>& turns) {
        const auto pair_of = [&](const Beta& bound) {
            const double value = turns && bound.name == beta.name ? turns->value : bound.usual;
            return ramping.pair_of_turns(value, length.value);
        };
        if (!truncate && !ramping.has({pair_of(fast), pair_of(slow)})) return;
        RopeSettings settings = ramping.settings("yarn", length);
        if (!truncate) add_flag(settings, "no-truncate");
        if (turns) add(settings, beta.name, *turns);
        found.push_back(settings);
    };
    const auto add_unusual = [&](const SimpleNumber& length, const Beta& beta,
                                 const evidence::Bounds& pairs) {
        const auto [least, most] = turns_within(ramping, pairs, length.value);
        for (const SimpleNumber& number : evidence::numbers_within(
                 {std::max(least, most / 1e3), std::min(most, least * 1e3)}, 2)) {
            add_with(length, beta, number);
        }
    };
    const evidence::Bounds by_fast = lengths_of(low, fast.usual),
                           by_slow = lengths_of(high, slow.usual);
    const std::vector<SimpleNumber> usual =
        evidence::lengths_within(evidence::both(by_fast, by_slow), 2);
    for (const SimpleNumber& length : usual) add_with(length, fast, std::nullopt);
    // Any few frequencies lie on the ramp of some factor, length and numbers of turns.
    constexpr std::size_t fewest_pairs = 8;
    constexpr double most_bits = 16;
    const bool is_simple = ramping.base.bits < most_bits && ramping.factor.bits < most_bits;
    if (!usual.empty() || ramping.pairs() < fewest_pairs || !is_simple) return;
    for (const SimpleNumber& length : evidence::lengths_within(by_slow, 2))
        add_unusual(length, fast, low);
    for (const SimpleNumber& length : evidence::lengths_within(by_fast, 1))
        add_unusual(length, slow, high);
}

/// Adds the settings of YaRN whose ramp begins and ends at whole pairs.
void add_truncated_yarn(Found& found, const Ramping& ramping) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t pairs = ramping.pairs(), last = 2 * pairs - 1;
    std::size_t matches = 0;
    for (std::size_t low = 0; low < pairs && matches < 3; ++low) {
        if (!ramping.shares[low].contains(0)) break;
        for (std::size_t high = low + 1; high <= last && matches < 3; ++high) {
            const auto from = static_cast<double>(low), to = static_cast<double>(high);
            if (!ramping.has({from, to})) continue;
            ++matches;
            // YaRN moves an end outside the pairs to the first pair, or to one beyond the last.
            add_yarn(found, ramping, {low == 0 ? -infinity : from, std::nextafter(from + 1, from)},
                     {std::nextafter(to - 1, to), high == last ? infinity : to}, true);
        }
    }
}

/// A straight line through the shares within a ramp: the places at which it has the values 0 and 1.
struct Line {
    evidence::Bounds zero;
    evidence::Bounds one;
};

/// Returns the line of the shares over these places, which rise or fall; none if fewer than two
/// shares lie within the ramp.
std::optional<Line> line_of(const std::vector<evidence::Bounds>& shares,
                            const std::vector<double>& places) {
    std::vector<std::size_t> within;
    for (std::size_t m = 0; m < shares.size(); ++m) {
        if (shares[m].low > 0 && shares[m].high < 1) within.push_back(m);
    }
    if (within.size() < 2) return std::nullopt;
    const std::size_t a = within.front(), b = within.back();
    const auto place_of = [&](double value) {
        evidence::Bounds place{std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()};
        for (const double at_a : {shares[a].low, shares[a].high}) {
            for (const double at_b : {shares[b].low, shares[b].high}) {
                const double slope = (at_b - at_a) / (places[b] - places[a]);
                const double at = places[a] + (value - at_a) / slope;
                place = {std::min(place.low, at), std::max(place.high, at)};
            }
        }
        return place;
    };
    return Line{place_of(0), place_of(1)};
}

void add_exact_yarn(Found& found, const Ramping& ramping) {
    std::vector<double> places;
    for (std::size_t m = 0; m < ramping.pairs(); ++m) places.push_back(static_cast<double>(m));
    const std::optional<Line> line = line_of(ramping.shares, places);
    if (!line || !(line->zero.middle() < line->one.middle())) return;
    add_yarn(found, ramping, line->zero, line->one, false);
}

/// Returns the lengths for which the ramp of llama3 runs between the pairs of `low` and of `high`
/// turns and agrees with the shares.
evidence::Bounds llama3_lengths(const Ramping& ramping, double low, double high) {
    evidence::Bounds lengths{0, 0x1p40};
    for (std::size_t m = 0; m < ramping.pairs(); ++m) {
        const auto [least, most] = ramping.shares[m];
        if (least > 1 || most < 0) return {1, 0};
        const double wavelength = turn / ramping.frequency(static_cast<double>(m));
        // Within the ramp, turns = high - share * (high - low); shares of 0 and 1 give only a
        // bound.
        evidence::Bounds turns{0, std::numeric_limits<double>::infinity()};
        if (most < 1) turns.low = high - most * (high - low);
        if (least > 0) turns.high = high - least * (high - low);
        lengths = evidence::both(lengths, {turns.low * wavelength, turns.high * wavelength});
    }
    return lengths;
}

void add_llama3_with(Found& found, const Ramping& ramping, const SimpleNumber& low,
                     const SimpleNumber& high) {
    if (high.value < low.value) return;
    for (const SimpleNumber& length :
         evidence::lengths_within(llama3_lengths(ramping, low.value, high.value), 1)) {
        RopeSettings settings = ramping.settings("llama3", length);
        if (low.value != 1) add(settings, "low-freq-factor", low);
        if (high.value != 4) add(settings, "high-freq-factor", high);
        found.push_back(settings);
    }
}

void add_llama3(Found& found, const Ramping& ramping) {
    const SimpleNumber one{"1", 1, 1};
    const std::size_t before = found.size();
    for (const double high : {4.0, 1.0, 2.0, 8.0}) {
        add_llama3_with(found, ramping, one, {shortest(high), high, 3});
    }
    std::vector<double> places;
    for (std::size_t m = 0; m < ramping.pairs(); ++m) {
        places.push_back(ramping.frequency(static_cast<double>(m)));
    }
    const std::optional<Line> line = line_of(ramping.shares, places);
    if (!line || !(line->one.low > 0)) return;
    // The shares show only the quotient of the two factors, since the length absorbs a common
    // factor.
    const evidence::Bounds quotient{line->zero.low / line->one.high,
                                    line->zero.high / line->one.low};
    for (const double low : {1.0, 2.0, 0.5, 4.0, 3.0}) {
        if (found.size() > before) return;
        for (const SimpleNumber& high :
             evidence::numbers_within({quotient.low * low, quotient.high * low}, 1)) {
            add_llama3_with(found, ramping, {shortest(low), low, 3}, high);
        }
    }
}

/// Adds the settings of NTK by parts, whose divisor is itself a mixture of two.
void add_part_ntk(Found& found, const Ramping& ramping) {
    const std::size_t pairs = ramping.pairs();
    if (pairs < 2) return;
    const double range = 1 - 1 / ramping.factor.value;
    const double log_stretch = std::log(ramping.factor.value) / static_cast<double>(pairs - 1);
    for (int exponent = 8; exponent <= 20; ++exponent) {
        const double length = std::exp2(exponent);
        const PairRamp to_linear = ramp_of_turns(ramping, length, 1.25, 0.75, true);
        const PairRamp from_original = ramp_of_turns(ramping, length, 16, 2, true);
        bool has_all = true;
        for (std::size_t m = 0; m < pairs && has_all; ++m) {
            const double stretched = std::exp(-log_stretch * static_cast<double>(m));
            const double linear = to_linear.at(m), changed = from_original.at(m);
            const double scaled = stretched * (1 - linear) + linear / ramping.factor.value;
            has_all = ramping.shares[m].contains(changed * (1 - scaled) / range);
        }
        if (!has_all) continue;
        found.push_back(ramping.settings("part-ntk", {shortest(length), length, 4}));
        return;
    }
}

}  // namespace

std::vector<RopeSettings> ramp_settings(Frequencies frequencies) {
    constexpr std::size_t fewest = 3, most = 1024;
    Found found;
    if (frequencies.size() < fewest || frequencies.size() > most) return found;
    // The first pair is kept by every ramp.
    if (!evidence::bounds_of(frequencies.front()).contains(1)) return found;
    for (const SimpleNumber& base : possible_bases(frequencies)) {
        const std::vector<Measured> ratios = ratios_to(base.value, frequencies);
        if (!is_ramp(ratios)) continue;
        for (const SimpleNumber& factor : possible_factors(ratios)) {
            const Ramping ramping = ramping_of(ratios, base, factor);
            add_llama3(found, ramping);
            const std::size_t before = found.size();
            add_truncated_yarn(found, ramping);
            if (found.size() == before) add_exact_yarn(found, ramping);
            add_part_ntk(found, ramping);
        }
    }
    return found;
}

}  // namespace pegen::recognition
