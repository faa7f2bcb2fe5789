#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inspect/rearrangement.h"

namespace pegen {

/// The differences between two tables.
struct Comparison {
    std::vector<Axis> axes;           ///< the axes of positions, as they were compared
    std::int64_t compared;            ///< number of values at equal channels and positions
    std::int64_t differing;           ///< number of compared values that differ
    double largest;                   ///< largest difference; infinity if only one value is finite
    std::vector<std::int64_t> place;  ///< position of the first of the largest, along each axis
    std::int64_t channel;             ///< channel of the first of the largest differences
    std::optional<Rearrangement> rearrangement;  ///< the one that leaves no other difference
};

/// Compares the tables as they are, and looks for a rearrangement: first for one that leaves no
/// difference, then for one that leaves only differences within `closeness`, if it allows any.
/// Positions are shifted by up to three either way, along all axes together; at least half of the
/// shorter table, and two positions of each axis, must remain to compare. Tables with different
/// numbers of axes are compared as sequences. Values are equal if they are the same number, or both
/// NaN. If the second table has more channels than the first, only the channels of the first must
/// be found in it. Precondition: the second table has no fewer channels than the first.
Comparison compare(const PositionTable& first, const PositionTable& second,
                   const Closeness& closeness = {});

}  // namespace pegen
