#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recognition/rotary/grid_frame.h"

namespace pegen::recognition {

/// The blocks of pairs, one for each axis, in the order of --axes, or pairs of the axes in turn.
struct Blocks {
    std::string axes;
    std::vector<std::int64_t> pairs;  ///< of each axis, in the order of `axes`
    bool are_in_turn = false;

    /// Returns the axis of a pair, as an index of `axes`.
    std::size_t rank_of(std::int64_t pair) const;
    char axis_of(std::int64_t pair) const { return axes[rank_of(pair)]; }
    /// Returns pair k of an axis among all pairs.
    std::int64_t pair(std::size_t rank, std::int64_t k) const;
    /// Returns the number of pairs of the axes before this one.
    std::int64_t first(std::size_t rank) const;
    std::int64_t count() const { return first(pairs.size()); }
    /// Returns the value of --split, in the order of `usual_axes`; empty if all blocks are equal.
    std::string split(std::string_view usual_axes) const;
};

/// Returns the orders of the axes' blocks that agree with the axis of each pair, the usual order
/// first. A pair that has the same values everywhere may belong to any axis: such pairs are
/// distributed so that the blocks are equal, if possible, and so that each block begins where its
/// axis is first seen. If no blocks agree, the axes are tried in turn.
std::vector<Blocks> blocks_of(const GridFrame& frame);

}  // namespace pegen::recognition
