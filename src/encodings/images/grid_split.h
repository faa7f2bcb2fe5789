#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pegen::encodings {

/// How the channels of a grid are shared out among its axes.
struct GridSplit {
    std::string shares;  ///< "equal", or for each axis "64", channels, or "1/4", a part of d
    std::string odd;     ///< what to do with an odd share: error, zero-pad, round-up
    std::int64_t d;      ///< channels in all
    std::int64_t axes;
};

/// Returns the channels of each axis, all even: the shares themselves, or the next lower (zero-pad)
/// or higher (round-up) even number. Throws: UsageError if the shares cannot be read or do not add
/// up to d, or if one is not an even number with --odd error.
std::vector<std::int64_t> channels_of_axes(const GridSplit& split);

}  // namespace pegen::encodings
