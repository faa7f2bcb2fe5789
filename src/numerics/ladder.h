#pragma once

#include <cstdint>
#include <vector>

#include "core/positions.h"
#include "numerics/frequencies.h"
#include "numerics/rotations.h"

namespace pegen::numerics {

/// The rotations by position * frequency, of many positions, by the theorem of addition: a position
/// is a whole multiple of a unit, a power of two; that number is written in digits of a few bits,
/// and each rung holds the rotations by what a digit in its place is worth.
///
/// Error of at(): at most 2^-92 for each sin and cos.
class Ladder {
  public:
    /// For these positions, and those less than a digit's worth of units beyond them. Precondition:
    /// fits().
    Ladder(const Positions& positions, const Frequencies& frequencies);

    /// Whether the positions are not too far apart in magnitude to be multiples of one unit.
    static bool fits(const Positions& positions);

    Rotations at(double position) const;

    double unit() const { return unit_; }

    /// By the lowest digit: 0, 1, ... units.
    const std::vector<Rotations>& steps() const { return rungs_.front(); }

  private:
    double unit_;
    int digit_bits_;
    std::size_t frequencies_;
    std::vector<std::vector<Rotations>> rungs_;  ///< [rung][digit]
};

/// How many bits a digit has: 6, or where so many rotations would be large less, at least 2.
int digit_bits(const Frequencies& frequencies);

}  // namespace pegen::numerics
