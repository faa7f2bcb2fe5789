#pragma once

#include <optional>
#include <span>

#include "recognition/evidence/simple_number.h"

// One column of rows at equal distances, without a second one for a circle.
namespace pegen::evidence {

/// value of row n = offset + amplitude * sin(phase + n * advance)
struct LoneWave {
    Measured amplitude;  ///< positive
    Measured offset;
    Measured advance;  ///< in [0, pi]
    Measured phase;    ///< in [-pi, pi]: of row 0
};

/// What is known of a wave beforehand.
struct KnownOfWave {
    std::optional<double> amplitude = std::nullopt;
    std::optional<double> offset = 0.0;
};

/// Returns the wave through these values, whose errors are given; none if they are on none. Needs 6
/// values; one with an infinite error is a guess, and does not count. A slow wave, a small part of
/// a turn, shows its advance only if its amplitude is known.
std::optional<LoneWave> lone_wave(std::span<const double> values, std::span<const double> errors,
                                  const KnownOfWave& known = {});

}  // namespace pegen::evidence
