#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "inspect/position_table.h"
#include "inspect/rearrangement.h"

namespace pegen {

/// The way in which the positions of the first table are matched with positions of the second.
struct Alignment {
    std::int64_t shift;
    bool is_without_zeros;
};

/// Positions that coincide: position first[i] of the first table and second[i] of the second.
struct Overlap {
    Closeness closeness;
    std::vector<std::size_t> first;
    std::vector<std::size_t> second;
    std::vector<double> positions;    ///< the larger |p| of each pair
    std::vector<std::int64_t> zeros;  ///< positions of the first table that are left out
};

/// Returns the positions that both tables have; no positions if too little is left to compare.
Overlap overlap_of(const PositionTable& first, const PositionTable& second,
                   const Alignment& alignment, const Closeness& closeness);

/// True if all channels of a position are 0.
bool is_zero(const PositionTable& table, std::size_t position);

/// Returns the bits of a value of a PositionTable: equal values have equal bits.
inline std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

/// Returns |a - b|; 0 for equal values, infinity if only one of them is finite.
double difference(double a, double b);

}  // namespace pegen
