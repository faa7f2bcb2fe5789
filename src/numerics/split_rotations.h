#pragma once

#include <optional>
#include <vector>

#include "numerics/ladder.h"

namespace pegen::numerics {

/// A position as the sum of a base, which neighbouring rows share if possible, and a step, one of a
/// few, given by its number.
struct Split {
    double base;
    std::size_t step;
};

/// The rotation of each position of a table, split into the rotations of its base and of its step,
/// which the kernel multiplies. In an exact progression, 64 rows share a base, the position of the
/// first of them; other positions share a base if they differ only in their lowest digit.
class SplitRotations {
  public:
    /// Precondition: Ladder::fits(positions).
    SplitRotations(const Positions& positions, const Frequencies& frequencies);

    Split split(std::int64_t row, double position) const;

    // Return the rotations of base and step. The error of their product is at most 2^-91 for each
    // sin and cos.
    Rotations base(const Split& split) const { return ladder_.at(split.base); }
    const Rotations& step(const Split& split) const { return steps_[split.step]; }

  private:
    int digit_bits_;
    std::optional<Positions> bases_;  ///< the bases of an exact progression
    Ladder ladder_;
    std::vector<Rotations> steps_;
};

}  // namespace pegen::numerics
