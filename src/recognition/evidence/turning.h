#pragma once

#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/circle.h"
#include "recognition/evidence/simple_number.h"

// Turning by equal steps: rows are at equal distances, and the angle of a pair advances by the same
// amount from each row to the next.
namespace pegen::evidence {

/// The straight line of angles: row n has the angle phase + n * advance, modulo 2 pi.
struct Turning {
    Measured advance;  ///< in [-pi, pi]
    Measured phase;    ///< in [-pi, pi], at row 0
    /// True if the angles are on a straight line within their errors; false if they scatter more,
    /// as they do in float32 code at high positions, and in lists of nearly equal distances.
    bool is_straight = true;
};

/// Returns how the angle of one pair advances, measured over all rows; up to a fifth of the rows
/// may be spoiled. None if there are fewer than 2 rows, or if the rows are not at equal distances,
/// which 2 rows alone cannot show.
/// Code in float32 has angles that are off by a few 2^-24 of themselves; the returned errors
/// include the scatter that is seen.
std::optional<Turning> turning_of(std::span<const double> angles, std::span<const double> errors);

/// Returns the turning of every pair; none if any pair has no turning.
std::optional<std::vector<Turning>> turnings_of(const Angles& angles);

}  // namespace pegen::evidence
