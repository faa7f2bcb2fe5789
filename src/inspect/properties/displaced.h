#pragma once

#include <cstdint>
#include <vector>

#include "inspect/properties/channel_pairs.h"
#include "inspect/properties/position_vectors.h"

namespace pegen {

/// D positions along one of the axes.
struct Displacement {
    std::size_t axis;
    std::int64_t offset;
};

/// The displacements that are looked at: along each axis of equally spaced positions 1 to 8, powers
/// of two up to half of the extent, and half of the extent. None along an axis of fewer than three
/// positions: a single pair of vectors fits any law.
std::vector<Displacement> displacements_of(const PositionVectors& vectors);

/// Vectors at positions t and at t + D.
struct DisplacedVectors {
    std::vector<std::int64_t> positions;  ///< t, ascending
    std::vector<double> near;             ///< PE(t), one after the other
    std::vector<double> far;              ///< PE(t + D)
};

/// Returns how many positions are looked at for each displacement: all, or of tables with more than
/// 2^20 values as many as have that.
std::int64_t looked_at(const PositionVectors& vectors);

/// Reads the vectors for every t, or for as many t as are looked at, in 64 runs that are spread
/// evenly from the first to the last. Vectors of two or more channels that are all zero, as of
/// padding, are left out.
DisplacedVectors read_displaced(const PositionVectors& vectors, const Displacement& displacement);

/// How well one rotation of each pair leads from PE(t) to PE(t + D) for every t.
struct Turn {
    std::int64_t looked_at = 0;  ///< t
    double residual = 0;  ///< the largest |z(t + D) - e^(i phi) z(t)|; phi is that of the pair
    std::int64_t position = -1;
    std::size_t pair = 0;  ///< among those of the pairing
};

/// Returns the residual of the best rotation of each pair of channels: with z = first + i second,
/// phi is the angle of  sum over t of z(t + D) conj z(t).  Pairs that `is_idle` are left out.
Turn turn_of(const DisplacedVectors& vectors, std::int64_t channels,
             const std::vector<ChannelPair>& pairs, const std::vector<bool>& is_idle);

/// The dot products PE(t) . PE(t + D) and the distances |PE(t + D) - PE(t)|.
struct Products {
    std::int64_t looked_at = 0;  ///< t
    double lowest = 0;
    double highest = 0;
    double mean = 0;
    double mean_square = 0;  ///< of |PE(t)|
    double shortest = 0;
    double longest = 0;
    std::int64_t lowest_at = -1;  ///< t
    std::int64_t highest_at = -1;
    std::int64_t shortest_at = -1;
    std::int64_t longest_at = -1;
};

/// Takes the given channels only, in their order.
Products products_of(const DisplacedVectors& vectors, std::int64_t channels,
                     const std::vector<std::int64_t>& used);

}  // namespace pegen
