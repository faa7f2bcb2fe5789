#include <doctest/doctest.h>

#include <vector>

#include "recognition/rotary/grid_frame.h"

using namespace pegen::recognition;

TEST_CASE("grid blocks: pairs that may be of two axes are shared so that blocks are equal") {
    using Pairs = std::vector<std::int64_t>;
    CHECK(blocks_of({.axis_of_pair = "yyyy**xxxx"}).front().pairs == Pairs{5, 5});
    CHECK(blocks_of({.has_depth = true, .axis_of_pair = "tt*yy**xx"}).front().pairs ==
          Pairs{3, 3, 3});
    // Or each block begins where its axis is first seen.
    CHECK(blocks_of({.axis_of_pair = "yyyy***xxx"}).back().pairs == Pairs{7, 3});
    // Pairs that show their axis keep it, so the blocks cannot be equal.
    CHECK(blocks_of({.axis_of_pair = "yyyyyy*xxx"}).front().pairs == Pairs{7, 3});
}

TEST_CASE("grid blocks: the axes are in turn if they have no blocks") {
    const Blocks in_turn = blocks_of({.axis_of_pair = "xy*yx*"}).front();
    CHECK(in_turn.are_in_turn);
    CHECK(in_turn.axes == "xy");
    CHECK(in_turn.pairs == std::vector<std::int64_t>{3, 3});
    CHECK(in_turn.count() == 6);
    for (std::int64_t k = 0; k < 3; ++k) {
        for (const std::size_t rank : {0U, 1U}) {
            const std::int64_t pair = in_turn.pair(rank, k);
            CHECK(pair == 2 * k + static_cast<std::int64_t>(rank));
            CHECK(in_turn.rank_of(pair) == rank);
        }
    }
    CHECK(in_turn.split("yx").empty());
    CHECK(blocks_of({.axis_of_pair = "xyyx"}).empty());
    CHECK(blocks_of({.axis_of_pair = "xyxyx"}).empty());
    CHECK(!blocks_of({.axis_of_pair = "yyx*"}).front().are_in_turn);
    CHECK(blocks_of({.axis_of_pair = "yyxx"}).front().pair(1, 1) == 3);
}
