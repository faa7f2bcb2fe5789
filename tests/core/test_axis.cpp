#include <doctest/doctest.h>

#include "core/axis.h"

using namespace pegen;

using Numbers = std::vector<std::int64_t>;

TEST_CASE(
    "grid point: points are counted along rows, frame by frame, behind the rows before them") {
    const Axis axis{.kind = AxisKind::point, .rows_before = 2, .extents = {2, 3, 4}};
    CHECK(grid_index(axis, 0).empty());
    CHECK(grid_index(axis, 1).empty());
    CHECK(grid_index(axis, 2) == Numbers{0, 0, 0});
    CHECK(grid_index(axis, 3) == Numbers{0, 0, 1});
    CHECK(grid_index(axis, 2 + 12 + 4) == Numbers{1, 1, 0});
    for (std::int64_t index = 2; index < 26; ++index) {
        CHECK(index_of_point(axis, grid_index(axis, index)) == index);
    }
    CHECK(grid_index({.kind = AxisKind::point}, 3).empty());
}

TEST_CASE("grid point: by columns, the last but one axis runs fastest") {
    const Axis axis{.kind = AxisKind::point, .extents = {2, 3, 4}, .is_by_columns = true};
    CHECK(grid_index(axis, 1) == Numbers{0, 1, 0});
    CHECK(grid_index(axis, 3) == Numbers{0, 0, 1});
    CHECK(grid_index(axis, 12) == Numbers{1, 0, 0});
    for (std::int64_t index = 0; index < 24; ++index) {
        CHECK(index_of_point(axis, grid_index(axis, index)) == index);
    }
}
