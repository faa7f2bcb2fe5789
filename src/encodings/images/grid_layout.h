#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/channel_layout.h"

namespace pegen::encodings {

/// How the channels of all axes of a grid are nested.
struct GridNesting {
    std::string order;                   ///< --order: a, k and f, slowest first
    std::string axes;                    ///< --axes: in the order of their channels
    std::vector<std::int64_t> channels;  ///< of each of `axes`, all even
    std::int64_t d;                      ///< channels computed beyond it are left out
    numerics::Function first;
};

/// Returns where the channels of the axis stand among those of all axes.
numerics::ChannelLayout layout_of(const GridNesting& nesting, char axis);

}  // namespace pegen::encodings
