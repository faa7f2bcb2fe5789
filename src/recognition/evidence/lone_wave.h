#pragma once

#include <optional>
#include <span>

#include "recognition/evidence/simple_number.h"

// A wave in one column of rows at equal distances, without a second column that makes a circle of
// it.
namespace pegen::evidence {

/// The wave in which the value of row n is offset + amplitude * sin(phase + n * advance).
struct LoneWave {
    Measured amplitude;  ///< positive
    Measured offset;
    Measured advance;  ///< in [0, pi]
    Measured phase;    ///< in [-pi, pi], at row 0
};

/// The amplitude and the offset of a wave, where they are known beforehand.
struct KnownOfWave {
    std::optional<double> amplitude = std::nullopt;
    std::optional<double> offset = 0.0;
};

/// Returns the wave through these values, whose errors are given; none if the values are on no
/// wave. Needs 6 values; a value with an infinite error is only a guess and does not count. A slow
/// wave, which makes a small part of a turn, shows its advance only if its amplitude is known.
std::optional<LoneWave> lone_wave(std::span<const double> values, std::span<const double> errors,
                                  const KnownOfWave& known = {});

}  // namespace pegen::evidence
