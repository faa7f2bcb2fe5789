#pragma once

#include <numbers>
#include <span>
#include <vector>

#include "recognition/rotary/frequency_fit.h"

// What the scalings have in common that keep fast pairs and divide slow ones.
namespace pegen::recognition {

inline constexpr double turn = 2 * std::numbers::pi;

/// A ramp from pairs that are kept, up to `low`, to pairs that are divided, from `high` on. Both
/// may be fractions.
struct PairRamp {
    double low;
    double high;

    /// Returns how much of the division a pair has: from 0 to 1.
    double at(std::size_t pair) const;
};

/// A base and a factor, and how much of the division by the factor each pair may have.
struct Ramping {
    evidence::SimpleNumber base;
    evidence::SimpleNumber factor;
    std::vector<Bounds> shares;  ///< of the pairs: 0 if kept, 1 if divided
    double log_step = 0;         ///< of the frequencies without scaling: ln(base) / pairs

    std::size_t pairs() const { return shares.size(); }
    /// Returns the frequency of a pair without scaling.
    double frequency(double pair) const;
    /// Returns the pair that turns so many times in `length`.
    double pair_of_turns(double turns, double length) const;
    bool has(const PairRamp& ramp) const;
    RopeSettings settings(std::string_view type, const evidence::SimpleNumber& length) const;
};

/// `ratios` are those of the frequencies to the ones that the base has without scaling.
Ramping ramping_of(std::span<const evidence::Measured> ratios, const evidence::SimpleNumber& base,
                   const evidence::SimpleNumber& factor);

/// Returns the ramp between the pairs of `fast` and of `slow` turns, rounded to whole pairs or not,
/// as the code of YaRN's authors bounds it.
PairRamp ramp_of_turns(const Ramping& ramping, double length, double fast, double slow,
                       bool truncate);

/// Returns the bases that the fast pairs show, as far as they are kept, and those of models.
std::vector<evidence::SimpleNumber> possible_bases(std::span<const evidence::Measured> frequencies);

/// Returns the factors by which the slowest pairs are divided. If the last pairs are still within
/// the ramp, those of models.
std::vector<evidence::SimpleNumber> possible_factors(const std::vector<evidence::Measured>& ratios);

}  // namespace pegen::recognition
