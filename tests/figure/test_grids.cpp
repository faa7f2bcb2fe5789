#include <doctest/doctest.h>

#include <numeric>

#include "figure/figure.h"

using namespace pegen;

namespace {

/// A heatmap whose pixels are 0, 1, 2, ...
IndexGrid counting(int width, int height) {
    IndexGrid grid{width, height,
                   std::vector<std::uint16_t>(static_cast<std::size_t>(width * height))};
    std::iota(grid.indices.begin(), grid.indices.end(), std::uint16_t{0});
    return grid;
}

}  // namespace

TEST_CASE("grids: a heatmap within the frame stays whole") {
    const Panel panel{{10, 20, 14, 23}, {10, 20, 4, 3}};
    const PlacedGrid placed = body_within_frame(panel, counting(4, 3));
    CHECK(placed.left == 10);
    CHECK(placed.top == 20);
    CHECK(placed.grid == counting(4, 3));
}

TEST_CASE("grids: pixels beyond the pixels of the frame are cut off") {
    // The frame is on pixels 11 to 13 and 21 to 22.
    const Panel panel{{11, 21, 13, 22}, {10, 20, 6, 4}};
    const PlacedGrid placed = body_within_frame(panel, counting(6, 4));
    CHECK(placed.left == 11);
    CHECK(placed.top == 21);
    CHECK(placed.grid == IndexGrid{3, 2, {7, 8, 9, 13, 14, 15}});
}
