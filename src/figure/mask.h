#pragma once

#include <cstdint>
#include <vector>

namespace pegen {

/// The box of the pixels of something drawn, relative to its origin, which is a whole pixel; y runs
/// downwards; right and bottom are exclusive. All zero if nothing is drawn.
struct InkBox {
    int left;
    int top;
    int right;
    int bottom;

    bool operator==(const InkBox&) const = default;
};

/// The coverage of each pixel of a box, 0 to 255; row-major.
struct Mask {
    InkBox box;
    std::vector<std::uint8_t> coverage;
};

}  // namespace pegen
