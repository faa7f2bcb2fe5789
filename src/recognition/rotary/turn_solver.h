#pragma once

#include <optional>
#include <span>
#include <vector>

#include "recognition/rotary/bounds.h"

// Numbers from angles that are known modulo a turn, as cells of tables show them.
namespace pegen::recognition {

/// Where an angle is, modulo 2 pi: within one of one or two arcs. A cosine alone leaves the sign of
/// the angle open, a sine alone whether it is beyond a quarter turn.
struct ShownAngle {
    Bounds arc;
    std::optional<Bounds> other = std::nullopt;
};

/// Return the angle that a value, or two, show.
ShownAngle angle_of_cosine(const evidence::Measured& cosine);
ShownAngle angle_of_sine(const evidence::Measured& sine);
ShownAngle angle_of_both(const evidence::Measured& cosine, const evidence::Measured& sine);

/// scale * x is this angle.
struct TurnEquation {
    double scale;
    ShownAngle angle;
    double drifts = 1;  ///< by how many times `drift` of solve() the angle may be off
};

/// Returns where x is, within `bounds`: one or more stretches, ascending; none if nothing agrees.
/// Equations are used in their order, which should be from the slowest, the smallest scale, on. One
/// that allows more than `most` stretches is passed over. `drift` is how far an angle may be off,
/// as a part of itself: that of float32 arithmetic.
std::vector<Bounds> solve(const Bounds& bounds, std::span<const TurnEquation> equations,
                          double drift, std::size_t most = 256);

}  // namespace pegen::recognition
