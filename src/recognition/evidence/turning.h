#pragma once

#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/circle.h"
#include "recognition/evidence/simple_number.h"

// Rows at equal distances: the angle of a pair advances by the same from row to row.
namespace pegen::evidence {

/// angle of row n = phase + n * advance, modulo 2 pi
struct Turning {
    Measured advance;  ///< in [-pi, pi]
    Measured phase;    ///< in [-pi, pi]: of row 0
    /// True if the angles are on a straight line up to their errors, false if they scatter more, as
    /// float32 code at high positions does, and lists of nearly equal distances.
    bool is_straight = true;
};

/// Returns how the angle of one pair advances, measured over all rows; up to a fifth of them may be
/// spoiled. None if the rows are not at equal distances, or fewer than 2. With 2 rows that cannot
/// be told.
/// Code in float32 has angles that are off by a few 2^-24 of themselves; errors allow for scatter
/// that is seen.
std::optional<Turning> turning_of(std::span<const double> angles, std::span<const double> errors);

/// Returns the turning of every pair; none if one of them has none.
std::optional<std::vector<Turning>> turnings_of(const Angles& angles);

}  // namespace pegen::evidence
