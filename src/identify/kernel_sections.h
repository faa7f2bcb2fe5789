#pragma once

#include <string>
#include <vector>

#include "identify/kernel_view.h"

namespace pegen::identify {

/// What turns in parts, a sentence each.
struct Sections {
    std::string pairs;                  ///< which channels are pairs; "" if there are none
    std::vector<std::string> turnings;  ///< by which angles each part turns; none if not found
};

/// Finds the channels that a kernel rotates in pairs, whatever the pairs are, and by which angles
/// halves or thirds of these turn, as along the axes of an image. `views` are of the same arrays,
/// with the axes that may be those of positions. It looks at samples, not at all values.
Sections sections_of(const std::vector<KernelView>& views);

}  // namespace pegen::identify
