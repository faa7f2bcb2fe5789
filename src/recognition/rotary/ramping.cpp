#include "recognition/rotary/ramping.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"

namespace pegen::recognition {

using evidence::Measured;
using evidence::SimpleNumber;

double PairRamp::at(std::size_t pair) const {
    return std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
}

double Ramping::frequency(double pair) const { return std::exp(-log_step * pair); }

double Ramping::pair_of_turns(double turns, double length) const {
    return std::log(length / (turns * turn)) / log_step;
}

bool Ramping::has(const PairRamp& ramp) const {
    for (std::size_t m = 0; m < pairs(); ++m) {
        if (!shares[m].contains(ramp.at(m))) return false;
    }
    return true;
}

RopeSettings Ramping::settings(std::string_view type, const SimpleNumber& length) const {
    RopeSettings result = scaled(type, base);
    add(result, "factor", factor);
    add(result, "original-max-position-embeddings", length);
    return result;
}

Ramping ramping_of(std::span<const Measured> ratios, const SimpleNumber& base,
                   const SimpleNumber& factor) {
    Ramping ramping{base, factor, {}, std::log(base.value) / static_cast<double>(ratios.size())};
    const double range = 1 - 1 / factor.value;
    for (const Measured& ratio : ratios) {
        ramping.shares.push_back({(1 - ratio.value - ratio.error) / range - 1e-14,
                                  (1 - ratio.value + ratio.error) / range + 1e-14});
    }
    return ramping;
}

PairRamp ramp_of_turns(const Ramping& ramping, double length, double fast, double slow,
                       bool truncate) {
    double low = ramping.pair_of_turns(fast, length), high = ramping.pair_of_turns(slow, length);
    if (truncate) low = std::floor(low), high = std::ceil(high);
    low = std::max(low, 0.0);
    high = std::min(high, static_cast<double>(2 * ramping.pairs() - 1));
    return {low, low == high ? high + 0.001 : high};
}

std::vector<SimpleNumber> possible_bases(std::span<const Measured> frequencies) {
    std::size_t kept = 2;
    while (kept < frequencies.size() && !base_bounds(frequencies, kept + 1).is_empty()) ++kept;
    std::vector<SimpleNumber> bases;
    // The first pairs of the ramp may be so close to their unscaled frequencies that they narrow
    // the bounds wrongly.
    for (const std::size_t count : {kept, 3 * kept / 4, kept / 2}) {
        if (count < 2) break;
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

std::vector<SimpleNumber> possible_factors(const std::vector<Measured>& ratios) {
    evidence::Bounds plateau;
    for (std::size_t m = ratios.size(); m-- > 0;) {
        const evidence::Bounds more = evidence::both(plateau, evidence::bounds_of(ratios[m]));
        if (more.is_empty()) break;
        plateau = more;
    }
    std::vector<SimpleNumber> factors;
    if (plateau.low > 0) factors = evidence::numbers_within({1 / plateau.high, 1 / plateau.low}, 2);
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

}  // namespace pegen::recognition
