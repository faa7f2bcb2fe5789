#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pegen::encodings {

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
