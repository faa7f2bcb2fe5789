#pragma once

#include <cstdint>
#include <vector>

#include "core/positions.h"
#include "numerics/frequencies.h"
#include "numerics/rotations.h"

namespace pegen::numerics {

/// The rotations by position * frequency for many positions, made by the addition theorem. Every
/// position is a whole multiple of a unit, a power of two. The multiple is written in digits of a
/// few bits, and for each place of a digit a rung holds the rotation of every value of the digit.
///
/// Error of at(): at most 2^-92 for each sin and cos.
class Ladder {
  public:
    /// Prepares for these positions and for positions up to `beyond` units farther from 0.
    /// Precondition: fits(positions).
    Ladder(const Positions& positions, const Frequencies& frequencies, std::int64_t beyond = 0);

    /// True if all positions, as multiples of one unit, have at most 128 bits.
    static bool fits(const Positions& positions);

    /// Returns the rotations by position * frequency for each frequency.
    Rotations at(double position) const;

    double unit() const { return unit_; }

    /// Returns the rotations by 0, 1, ... units: 2^digit_bits of them, or fewer if the ladder
    /// serves no more.
    const std::vector<Rotations>& steps() const { return rungs_.front(); }

  private:
    double unit_;
    int digit_bits_;
    std::size_t frequencies_;
    std::vector<std::vector<Rotations>> rungs_;  ///< [rung][digit]
};

/// Returns the number of bits of a digit: 6, or fewer, but at least 2, if the rotations of all
/// rungs would exceed 64 MiB.
int digit_bits(const Positions& positions, const Frequencies& frequencies);

}  // namespace pegen::numerics
