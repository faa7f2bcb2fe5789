#pragma once

#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/bounds.h"

// A solver for numbers whose multiples are known as angles modulo a turn, as in the cells of
// tables.
namespace pegen::recognition {

/// One or two arcs, modulo 2 pi, within which an angle lies. A cosine alone leaves the sign of the
/// angle open; a sine alone leaves open whether the angle is beyond a quarter turn.
struct ShownAngle {
    evidence::Bounds arc;
    std::optional<evidence::Bounds> other = std::nullopt;
};

/// Returns the angle that a cosine, a sine, or both show.
ShownAngle angle_of_cosine(const Measured& cosine);
ShownAngle angle_of_sine(const Measured& sine);
ShownAngle angle_of_both(const Measured& cosine, const Measured& sine);

/// The equation scale * x = angle, modulo 2 pi.
struct TurnEquation {
    double scale;
    ShownAngle angle;
    double drifts = 1;  ///< the angle may be off by this multiple of solve()'s `drift`
};

/// Returns the stretches of `bounds` in which x may lie, ascending; none if no x satisfies the
/// equations. Equations are used in their order, which should be ascending by scale, the slowest
/// first. An equation that allows more than `most` stretches is skipped. `drift` is the relative
/// error of the angles, such as the error of float32 arithmetic.
std::vector<evidence::Bounds> solve(const evidence::Bounds& bounds,
                                    std::span<const TurnEquation> equations, double drift,
                                    std::size_t most = 256);

}  // namespace pegen::recognition
