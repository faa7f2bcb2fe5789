#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pegen::encodings {

/// How the channels of a grid are shared out among its axes.
struct GridSplit {
    std::string
        shares;       ///< "equal", or for each axis "64", channels, "1/4", a part of d, or "rest"
    std::string odd;  ///< what to do with an odd share: error, zero-pad, round-up
    std::int64_t d;   ///< channels in all
    std::int64_t axes;
};

/// Returns the channels of each axis, all even: the shares themselves, or the next lower (zero-pad)
/// or higher (round-up) even number; beside a rest all others are the next lower one. Throws:
/// UsageError if the shares cannot be read or do not add up to d, or if one is not an even number
/// with --odd error.
std::vector<std::int64_t> channels_of_axes(const GridSplit& split);

}  // namespace pegen::encodings
