#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recognition/rotary/grid_frame.h"

namespace pegen::recognition {

/// The blocks of pairs, one for each axis, in the order of --axes.
struct Blocks {
    std::string axes;
    std::vector<std::int64_t> pairs;  ///< of each block, in the order of `axes`

    /// Returns the block of a pair, as an index of `axes`.
    std::size_t rank_of(std::int64_t pair) const;
    char axis_of(std::int64_t pair) const { return axes[rank_of(pair)]; }
    /// Returns the first pair of a block.
    std::int64_t first(std::size_t rank) const;
    std::int64_t count() const { return first(pairs.size()); }
    /// Returns the value of --split, in the order of `usual_axes`; empty if all blocks are equal.
    std::string split(std::string_view usual_axes) const;
};

/// Returns the orders of the axes' blocks that agree with the axis of each pair, the usual order
/// first. A pair that has the same values everywhere may belong to any axis: such pairs are
/// distributed so that the blocks are equal, if possible.
std::vector<Blocks> blocks_of(const GridFrame& frame);

}  // namespace pegen::recognition
