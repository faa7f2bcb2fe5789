#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/table.h"
#include "inspect/properties/position_vectors.h"

namespace pegen {

/// A way to take channels in pairs. Channels without a partner are in no pair.
struct Pairing {
    std::string name;  ///< "interleaved", "halves", "channels c and c + 16", "by axes"
    std::vector<ChannelPair> pairs;
};

/// Returns every pairing that public code has for this many channels: neighbours (interleaved),
/// halves, and neighbours or halves among the channels of each axis of a grid. For an odd number of
/// channels, either half may be the longer one. Returns no pairing for one channel.
std::vector<Pairing> usual_pairings(std::int64_t channels);

/// Returns these pairs as a pairing with the name of the usual pairing that they form, or else "by
/// axes".
Pairing named_pairing(std::vector<ChannelPair> pairs, std::int64_t channels);

/// A displacement by D positions along one of the axes.
struct Displacement {
    std::size_t axis;
    std::int64_t offset;
};

/// Returns the displacements that are measured: along each axis of equally spaced positions, 1 to
/// 8, powers of two up to half of the extent, and half of the extent. Returns no displacements
/// along an axis of fewer than three positions: a single pair of vectors fits any law.
std::vector<Displacement> displacements_of(const PositionVectors& vectors);

/// The vectors at positions t and at positions t + D.
struct DisplacedVectors {
    std::vector<std::int64_t> positions;  ///< t, ascending
    std::vector<double> near;             ///< the vectors PE(t), one after the other
    std::vector<double> far;              ///< the vectors PE(t + D)
};

/// Returns how many positions are measured for each displacement: all or, in tables with more than
/// 2^20 values, as many as have 2^20 values.
std::int64_t looked_at(const PositionVectors& vectors);

/// Reads the vectors for every t or, if looked_at() is fewer, for that many t in 64 runs that are
/// spread evenly from the first to the last. Vectors of two or more channels that are all zero, as
/// in padding, are left out.
DisplacedVectors read_displaced(const PositionVectors& vectors, const Displacement& displacement);

/// The error of the best rotation of each pair from PE(t) to PE(t + D), the same for every t.
struct Turn {
    std::int64_t looked_at = 0;  ///< the number of positions t that were measured
    double residual = 0;         ///< the largest |z(t + D) - e^(i phi) z(t)|, with phi of the pair
    std::int64_t position = -1;
    std::size_t pair = 0;  ///< index among the pairs of the pairing
};

/// Returns the residual of the best rotation of each pair of channels: with z = first + i second,
/// phi is the angle of  sum over t of z(t + D) conj z(t).  Pairs for which `is_idle` is true are
/// left out.
Turn turn_of(const DisplacedVectors& vectors, std::int64_t channels,
             const std::vector<ChannelPair>& pairs, const std::vector<bool>& is_idle);

/// The dot products PE(t) . PE(t + D) and the distances |PE(t + D) - PE(t)| over all t.
struct Products {
    std::int64_t looked_at = 0;  ///< the number of positions t that were measured
    double lowest = 0;
    double highest = 0;
    double mean = 0;
    double mean_square = 0;  ///< the mean of |PE(t)|^2
    double shortest = 0;
    double longest = 0;
    std::int64_t lowest_at = -1;  ///< the t of the lowest dot product; the next three likewise
    std::int64_t highest_at = -1;
    std::int64_t shortest_at = -1;
    std::int64_t longest_at = -1;
};

/// Computes the products of the given channels only, added in their order.
Products products_of(const DisplacedVectors& vectors, std::int64_t channels,
                     const std::vector<std::int64_t>& used);

}  // namespace pegen
