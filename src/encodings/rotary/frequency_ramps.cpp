#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/number.h"
#include "encodings/rotary/frequency_fit.h"

// The scalings that keep fast pairs and divide slow ones, with a ramp between the two.
namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::SimpleNumber;

using Frequencies = std::span<const Measured>;
using Found = std::vector<RopeSettings>;

constexpr double turn = 2 * std::numbers::pi;

/// Returns the bases that the fast pairs show, as far as they are kept, and the known ones.
std::vector<SimpleNumber> possible_bases(Frequencies frequencies) {
    std::size_t kept = 2;
    while (kept < frequencies.size() && !base_bounds(frequencies, kept + 1).is_empty()) ++kept;
    std::vector<SimpleNumber> bases;
    // The first pairs of a ramp may be so near to those without that they narrow the bounds
    // wrongly.
    for (const std::size_t count : {kept, 3 * kept / 4, kept / 2}) {
        if (count < 3) break;
        for (const SimpleNumber& base : bases_within(base_bounds(frequencies, count), 2)) {
            bases.push_back(base);
        }
    }
    for (const double base : known_bases()) bases.push_back({shortest(base), base, 3});
    std::vector<SimpleNumber> unique;
    for (const SimpleNumber& base : bases) {
        const bool is_new =
            std::ranges::find(unique, base.value, &SimpleNumber::value) == unique.end();
        if (base.value > 1 && is_new) unique.push_back(base);
    }
    return unique;
}

/// True if the ratios may fall, from 1 on.
bool is_ramp(const std::vector<Measured>& ratios) {
    double least = 1;
    for (const Measured& ratio : ratios) {
        const auto [low, high] = bounds_of(ratio);
        if (low > least || !(high > 0)) return false;
        least = std::min(least, high);
    }
    return least < 1;
}

/// Returns the factors by which the slowest pairs are divided. If the last pairs are still within
/// the ramp, the known factors.
std::vector<SimpleNumber> possible_factors(const std::vector<Measured>& ratios) {
    Bounds plateau;
    for (std::size_t m = ratios.size(); m-- > 0;) {
        const Bounds more = both(plateau, bounds_of(ratios[m]));
        if (more.is_empty()) break;
        plateau = more;
    }
    std::vector<SimpleNumber> factors;
    if (plateau.low > 0) factors = numbers_within({1 / plateau.high, 1 / plateau.low}, 2);
    for (const double factor : known_factors()) {
        const bool is_new =
            std::ranges::find(factors, factor, &SimpleNumber::value) == factors.end();
        if (is_new && ratios.back().value + ratios.back().error >= 1 / factor) {
            factors.push_back({shortest(factor), factor, 3});
        }
    }
    std::erase_if(factors, [](const SimpleNumber& factor) { return factor.value <= 1; });
    return factors;
}

/// Returns how much of the division each pair has: 0 if it is kept, 1 if it is divided.
std::vector<Bounds> shares_of(const std::vector<Measured>& ratios, double factor) {
    const double range = 1 - 1 / factor;
    std::vector<Bounds> shares;
    for (const Measured& ratio : ratios) {
        shares.push_back({(1 - ratio.value - ratio.error) / range - 1e-14,
                          (1 - ratio.value + ratio.error) / range + 1e-14});
    }
    return shares;
}

/// A base and a factor with which the ratios are a ramp.
struct Ramping {
    SimpleNumber base;
    SimpleNumber factor;
    std::vector<Bounds> shares;  ///< of the pairs
    double log_step = 0;         ///< of the frequencies: ln(base) / pairs

    std::size_t pairs() const { return shares.size(); }
    double frequency(double pair) const { return std::exp(-log_step * pair); }
    bool has(double low, double high) const {
        for (std::size_t m = 0; m < pairs(); ++m) {
            const double share = (static_cast<double>(m) - low) / (high - low);
            if (!shares[m].contains(std::clamp(share, 0.0, 1.0))) return false;
        }
        return true;
    }
    RopeSettings settings(std::string_view type, const SimpleNumber& length) const {
        RopeSettings result = scaled(type, base);
        add(result, "factor", factor);
        add(result, "original-max-position-embeddings", length);
        return result;
    }
};

struct Beta {
    std::string_view name;
    double usual;
};

constexpr Beta fast{"beta-fast", 32}, slow{"beta-slow", 1};

/// Returns the turns in `length` of the pairs within these bounds, which may be fractions.
Bounds turns_within(const Ramping& ramping, const Bounds& pairs, double length) {
    return {length * ramping.frequency(pairs.high) / turn,
            length * ramping.frequency(pairs.low) / turn};
}

/// Adds the settings of YaRN whose pair of beta-fast turns is within `low`, that of beta-slow
/// within `high`.
void add_yarn(Found& found, const Ramping& ramping, const Bounds& low, const Bounds& high,
              bool truncate) {
    const auto lengths_of = [&](const Bounds& pairs, double turns) {
        return Bounds{turns * turn / ramping.frequency(pairs.low),
                      turns * turn / ramping.frequency(pairs.high)};
    };
    const auto settings_with = [&](const SimpleNumber& length) {
        RopeSettings settings = ramping.settings("yarn", length);
        if (!truncate) {
            settings.settings.push_back({"no-truncate", "true"});
            settings.bits += 4;
        }
        return settings;
    };
    const auto add_unusual = [&](const SimpleNumber& length, const Beta& beta,
                                 const Bounds& pairs) {
        const Bounds turns = turns_within(ramping, pairs, length.value);
        for (const SimpleNumber& number : numbers_within(
                 {std::max(turns.low, turns.high / 1e3), std::min(turns.high, turns.low * 1e3)},
                 2)) {
            found.push_back(settings_with(length));
            add(found.back(), beta.name, number);
        }
    };
    const Bounds by_fast = lengths_of(low, fast.usual), by_slow = lengths_of(high, slow.usual);
    const std::vector<SimpleNumber> usual = lengths_within(both(by_fast, by_slow), 2);
    for (const SimpleNumber& length : usual) found.push_back(settings_with(length));
    if (!usual.empty()) return;
    for (const SimpleNumber& length : lengths_within(by_slow, 2)) add_unusual(length, fast, low);
    for (const SimpleNumber& length : lengths_within(by_fast, 1)) add_unusual(length, slow, high);
}

/// YaRN with bounds rounded to whole pairs.
void add_truncated_yarn(Found& found, const Ramping& ramping) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t pairs = ramping.pairs(), last = 2 * pairs - 1;
    std::size_t matches = 0;
    for (std::size_t low = 0; low < pairs && matches < 3; ++low) {
        if (!ramping.shares[low].contains(0)) break;
        for (std::size_t high = low + 1; high <= last && matches < 3; ++high) {
            const auto from = static_cast<double>(low), to = static_cast<double>(high);
            if (!ramping.has(from, to)) continue;
            ++matches;
            // Bounds outside the pairs are moved to the first pair and to one beyond the last.
            add_yarn(found, ramping, {low == 0 ? -infinity : from, std::nextafter(from + 1, from)},
                     {std::nextafter(to - 1, to), high == last ? infinity : to}, true);
        }
    }
}

/// A straight line through the shares within a ramp, and where it has the values 0 and 1.
struct Line {
    Bounds zero;
    Bounds one;
};

/// Returns the line of the shares over these places, which rise or fall; none if fewer than two are
/// within the ramp.
std::optional<Line> line_of(const std::vector<Bounds>& shares, const std::vector<double>& places) {
    std::vector<std::size_t> within;
    for (std::size_t m = 0; m < shares.size(); ++m) {
        if (shares[m].low > 0 && shares[m].high < 1) within.push_back(m);
    }
    if (within.size() < 2) return std::nullopt;
    const std::size_t a = within.front(), b = within.back();
    const auto place_of = [&](double value) {
        Bounds place{std::numeric_limits<double>::infinity(),
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
    if (ramping.has(line->zero.middle(), line->one.middle())) {
        add_yarn(found, ramping, line->zero, line->one, false);
    }
}

/// Returns the lengths with which the pairs of `low` and of `high` turns bound the ramp of llama3.
Bounds llama3_lengths(const Ramping& ramping, double low, double high) {
    Bounds lengths{0, 0x1p40};
    for (std::size_t m = 0; m < ramping.pairs(); ++m) {
        const auto [least, most] = ramping.shares[m];
        if (least > 1 || most < 0) return {1, 0};
        const double wavelength = turn / ramping.frequency(static_cast<double>(m));
        // turns = high - share * (high - low), but for shares of 0 and 1 beyond the ramp
        Bounds turns{0, std::numeric_limits<double>::infinity()};
        if (most < 1) turns.low = high - most * (high - low);
        if (least > 0) turns.high = high - least * (high - low);
        lengths = both(lengths, {turns.low * wavelength, turns.high * wavelength});
    }
    return lengths;
}

void add_llama3_with(Found& found, const Ramping& ramping, const SimpleNumber& low,
                     const SimpleNumber& high) {
    if (high.value < low.value) return;
    for (const SimpleNumber& length :
         lengths_within(llama3_lengths(ramping, low.value, high.value), 1)) {
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
    // Only the quotient of the two factors is seen, since the length may have any factor.
    const Bounds quotient{line->zero.low / line->one.high, line->zero.high / line->one.low};
    for (const double low : {1.0, 2.0, 0.5, 4.0, 3.0}) {
        if (found.size() > before) return;
        for (const SimpleNumber& high :
             numbers_within({quotient.low * low, quotient.high * low}, 1)) {
            add_llama3_with(found, ramping, {shortest(low), low, 3}, high);
        }
    }
}

/// A ramp between the pairs of `fast` and `slow` turns, rounded to whole pairs.
struct Between {
    double low, high;

    double at(std::size_t pair) const {
        return std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
    }
};

Between between(const Ramping& ramping, double length, double fast_turns, double slow_turns) {
    const auto pair_of = [&](double turns) {
        return std::log(length / (turns * turn)) / ramping.log_step;
    };
    const auto last = static_cast<double>(2 * ramping.pairs() - 1);
    const double low = std::max(std::floor(pair_of(fast_turns)), 0.0);
    const double high = std::min(std::ceil(pair_of(slow_turns)), last);
    return {low, low == high ? high + 0.001 : high};
}

/// NTK by parts: the division itself is mixed of two.
void add_part_ntk(Found& found, const Ramping& ramping) {
    const std::size_t pairs = ramping.pairs();
    if (pairs < 2) return;
    const double range = 1 - 1 / ramping.factor.value;
    const double log_stretch = std::log(ramping.factor.value) / static_cast<double>(pairs - 1);
    for (int exponent = 8; exponent <= 20; ++exponent) {
        const double length = std::exp2(exponent);
        const Between to_linear = between(ramping, length, 1.25, 0.75);
        const Between from_original = between(ramping, length, 16, 2);
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
    // The first pair is kept whatever the ramp.
    if (!bounds_of(frequencies.front()).contains(1)) return found;
    for (const SimpleNumber& base : possible_bases(frequencies)) {
        const std::vector<Measured> ratios = ratios_to(base.value, frequencies);
        if (!is_ramp(ratios)) continue;
        for (const SimpleNumber& factor : possible_factors(ratios)) {
            const Ramping ramping{base, factor, shares_of(ratios, factor.value),
                                  std::log(base.value) / static_cast<double>(frequencies.size())};
            add_llama3(found, ramping);
            const std::size_t before = found.size();
            add_truncated_yarn(found, ramping);
            if (found.size() == before) add_exact_yarn(found, ramping);
            add_part_ntk(found, ramping);
        }
    }
    return found;
}

}  // namespace pegen::encodings
