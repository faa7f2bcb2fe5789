#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inspect/rearrangement.h"

namespace pegen {

/// What separates two tables.
struct Comparison {
    std::vector<Axis> axes;           ///< of positions, as they were compared
    std::int64_t compared;            ///< values that both have: of equal channels and positions
    std::int64_t differing;           ///< of these
    double largest;                   ///< difference; infinity if only one value is finite
    std::vector<std::int64_t> place;  ///< position of the first of the largest, along each axis
    std::int64_t channel;             ///< of the first of the largest
    std::optional<Rearrangement> rearrangement;  ///< that leaves no other difference
};

/// Compares the tables as they are, and looks for a rearrangement: first for one that leaves no
/// difference, then for one that leaves only differences within `closeness`, if it allows any.
/// Positions are shifted by up to three either way, along all axes together; at least half of the
/// shorter table, and two positions of each axis, must remain to compare. Tables with different
/// numbers of axes are compared as sequences. Values are equal if they are the same number, or both
/// NaN. If the second table has more channels than the first, it needs only to have those of the
/// first. Precondition: it has no fewer.
Comparison compare(const PositionTable& first, const PositionTable& second,
                   const Closeness& closeness = {});

}  // namespace pegen
