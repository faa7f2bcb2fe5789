#pragma once

#include <cstdint>
#include <vector>

namespace pegen {

/// Pixels of what is drawn as an offset from its origin, a whole pixel; y downwards; right and
/// bottom exclusive. Nothing drawn: all zero.
struct InkBox {
    int left;
    int top;
    int right;
    int bottom;

    bool operator==(const InkBox&) const = default;
};

/// How much of each pixel of an ink box is covered, 0 to 255; row-major.
struct Mask {
    InkBox box;
    std::vector<std::uint8_t> coverage;
};

}  // namespace pegen
