#pragma once

#include <cstdint>
#include <vector>

#include "numerics/rotations.h"
#include "pegen/numerics/frequencies.h"
#include "pegen/numerics/positions.h"

namespace pegen::numerics {

/// The rotations by (start + step * i) * frequency for i = 0 ... count - 1, by the theorem of
/// addition: i is written in digits of base `radix`, and each rung holds the rotations by
/// step * digit * radix^rung. A block is the `radix` rows that share all digits but the last.
///
/// Error of base() times steps()[digit]: at most 2^-92 for each sin and cos.
class Ladder {
  public:
    Ladder(const Progression& progression, std::int64_t count, const Frequencies& frequencies);

    std::int64_t radix() const { return radix_; }

    /// By the position of the first row of a block.
    Rotations base(std::int64_t block) const;

    /// By step * digit, digit = 0 ... radix - 1 (or count - 1).
    const std::vector<Rotations>& steps() const { return rungs_.front(); }

  private:
    std::int64_t radix_;
    Rotations start_;
    std::vector<std::vector<Rotations>> rungs_;  ///< [rung][digit]
};

}  // namespace pegen::numerics
