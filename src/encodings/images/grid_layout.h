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

}  // namespace pegen::encodings
