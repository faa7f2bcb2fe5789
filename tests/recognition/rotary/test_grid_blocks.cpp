#include <doctest/doctest.h>

#include <vector>

#include "recognition/rotary/grid_blocks.h"

using namespace pegen::recognition;

TEST_CASE("grid blocks: pairs that may be of two axes are shared so that blocks are equal") {
    using Pairs = std::vector<std::int64_t>;
    CHECK(blocks_of({.axis_of_pair = "yyyy**xxxx"}).front().pairs == Pairs{5, 5});
    CHECK(blocks_of({.has_depth = true, .axis_of_pair = "tt*yy**xx"}).front().pairs ==
          Pairs{3, 3, 3});
    // Pairs that show their axis keep it, so the blocks cannot be equal.
    CHECK(blocks_of({.axis_of_pair = "yyyyyy*xxx"}).front().pairs == Pairs{7, 3});
}
