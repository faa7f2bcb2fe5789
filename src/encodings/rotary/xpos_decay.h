#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encodings/rotary/bounds.h"
#include "evidence/proposal.h"

// The scale of xpos: how pairs grow and shrink along the positions.
namespace pegen::encodings {

/// A logarithm of the scale at a position.
struct ScalePoint {
    double position;
    evidence::Measured logarithm;
};

/// How the logarithm of a pair's scale depends on the position.
struct Growth {
    evidence::Measured at_zero;
    evidence::Measured per_position;

    /// Returns the position of scale 1.
    evidence::Measured centre() const;
};

/// Returns the line through the points; none if they are not on one.
std::optional<Growth> growth_of(const std::vector<ScalePoint>& points);

/// The parameters of the scale.
struct Decay {
    double gamma;
    double scale_base;
    double centre;
    bool is_of_keys;
    std::vector<evidence::Setting> settings;  ///< those that are not the defaults

    /// Returns the logarithm of the scale of a pair; `share` is its index as a part of all pairs.
    double log_scale(double position, double share) const;
};

/// Returns the decays of the numbers that code has, for queries and for keys, the defaults first.
std::vector<Decay> usual_decays(std::int64_t rows);

/// Returns the decays of this growth of pair 0, whose zeta is gamma / (1 + gamma).
std::vector<Decay> decays_of(const Growth& growth, const evidence::SimpleNumber& gamma,
                             std::int64_t rows);

/// Returns the gammas with which the logarithms of zeta of pair 0 and of a pair at `share` have the
/// quotient of `first` and `other`.
std::vector<evidence::SimpleNumber> gammas_of(const evidence::Measured& first,
                                              const evidence::Measured& other, double share);

}  // namespace pegen::encodings
