#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/channel_layout.h"

namespace pegen::encodings {

/// The order in which the channels of all axes of a grid are nested.
struct GridNesting {
    std::string order;                   ///< --order: a, k and f, slowest first
    std::string axes;                    ///< --axes: the order of their channels
    std::vector<std::int64_t> channels;  ///< of each axis in `axes`, all even
    std::int64_t d;                      ///< the table's channels; any beyond are left out
    numerics::Function first;
};

/// Returns the layout of the axis's channels among the channels of all axes.
numerics::ChannelLayout layout_of(const GridNesting& nesting, char axis);

/// How the channels of a grid are divided among its axes.
struct GridSplit {
    std::string
        shares;       ///< "equal", or for each axis "64" (channels), "1/4" (a part of d) or "rest"
    std::string odd;  ///< treatment of an odd share: error, zero-pad, round-up
    std::int64_t d;   ///< channels of all axes together
    std::int64_t axes;
};

/// Returns the channels of each axis, all even: each share itself, or the next even number below
/// (zero-pad) or above it (round-up). If one share is the rest, all others are rounded down.
/// Throws: UsageError if the shares cannot be read or do not add up to d, or if a share is not an
/// even number with --odd error.
std::vector<std::int64_t> channels_of_axes(const GridSplit& split);

}  // namespace pegen::encodings
