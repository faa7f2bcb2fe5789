#pragma once

#include <optional>
#include <vector>

#include "numerics/ladder.h"

namespace pegen::numerics {

/// A position as the sum of a base, which rows that follow each other share where it can be, and
/// one of a few steps, by number.
struct Split {
    double base;
    std::size_t step;
};

/// The rotations of the positions of a table, as those of their bases and those of the steps, for
/// the kernel to multiply. Rows of an exact progression share a base, the position of the first of
/// them, 64 at a time; other positions share one where they differ in their lowest digit only.
class SplitRotations {
  public:
    /// Precondition: Ladder::fits(positions).
    SplitRotations(const Positions& positions, const Frequencies& frequencies);

    Split split(std::int64_t row, double position) const;

    /// Error of their product: at most 2^-91 for each sin and cos.
    Rotations base(const Split& split) const { return ladder_.at(split.base); }
    const Rotations& step(const Split& split) const { return steps_[split.step]; }

  private:
    int digit_bits_;
    std::optional<Positions> bases_;  ///< of an exact progression
    Ladder ladder_;
    std::vector<Rotations> steps_;
};

}  // namespace pegen::numerics
