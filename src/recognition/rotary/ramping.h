#pragma once

#include <numbers>
#include <span>
#include <vector>

#include "recognition/rotary/frequency_fit.h"

// Declarations shared by the scalings that keep fast pairs and divide slow ones.
namespace pegen::recognition {

inline constexpr double turn = 2 * std::numbers::pi;

/// A ramp from the pairs that are kept, up to `low`, to the pairs that are divided, from `high` on.
/// `low` and `high` may be fractions.
struct PairRamp {
    double low;
    double high;

    /// Returns the share of the division that a pair has, from 0 to 1.
    double at(std::size_t pair) const;
};

/// A base and a factor, and the possible shares of the division by the factor for each pair.
struct Ramping {
    evidence::SimpleNumber base;
    evidence::SimpleNumber factor;
    std::vector<evidence::Bounds> shares;  ///< by pair: 0 if kept, 1 if divided
    double log_step = 0;  ///< ln(base) / pairs: the step of log frequency without scaling

    std::size_t pairs() const { return shares.size(); }
    /// Returns the frequency of a pair without scaling.
    double frequency(double pair) const;
    /// Returns the pair that turns `turns` times in `length` positions, as a fraction.
    double pair_of_turns(double turns, double length) const;
    bool has(const PairRamp& ramp) const;
    RopeSettings settings(std::string_view type, const evidence::SimpleNumber& length) const;
};

/// Returns the base and the factor with each pair's shares, found from `ratios`, the measured
/// frequencies divided by the frequencies that the base has without scaling.
Ramping ramping_of(std::span<const evidence::Measured> ratios, const evidence::SimpleNumber& base,
                   const evidence::SimpleNumber& factor);

/// Returns the ramp from the pair with `fast` turns in `length` positions to the pair with `slow`
/// turns, bounded as in the code of YaRN's authors. `truncate` rounds the ends to whole pairs.
PairRamp ramp_of_turns(const Ramping& ramping, double length, double fast, double slow,
                       bool truncate);

/// Returns the bases that the fast pairs show, as far as they are kept, and the bases of published
/// models.
std::vector<evidence::SimpleNumber> possible_bases(std::span<const evidence::Measured> frequencies);

/// Returns the factors by which the slowest pairs are divided, and the factors of published models,
/// since even the last pairs may lie within the ramp.
std::vector<evidence::SimpleNumber> possible_factors(const std::vector<evidence::Measured>& ratios);

}  // namespace pegen::recognition
