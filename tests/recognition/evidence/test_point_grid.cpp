#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/shape.h"
#include "recognition/evidence/point_grid.h"

namespace pegen::evidence {
namespace {

using Extents = std::vector<std::int64_t>;

/// Returns rows of a grid: column c is sin((c + 1) * index) along axis c % axes; `prefix` rows of
/// zeros in front.
Sample grid_sample(const Extents& extents, std::int64_t columns, std::int64_t prefix = 0) {
    std::int64_t points = 1;
    for (const std::int64_t extent : extents) points *= extent;
    Sample sample;
    sample.extents = {prefix + points, columns};
    sample.leading = prefix + points;
    sample.precision = precision_of(DType::float64);
    sample.values.assign(prefix * columns, 0);
    for (std::int64_t point = 0; point < points; ++point) {
        const std::vector<std::int64_t> index = index_of(point, extents);
        for (std::int64_t column = 0; column < columns; ++column) {
            const std::size_t axis = to_size(column) % extents.size();
            sample.values.push_back(std::sin(static_cast<double>((column + 1) * index[axis] + 1)));
        }
    }
    return sample;
}

}  // namespace

TEST_CASE("point grid: columns tell the extents and the axis they depend on") {
    const std::vector<PointGrid> grids = point_grids(grid_sample({4, 6}, 6), 0);
    REQUIRE(grids.size() == 1);
    CHECK(grids[0].extents == Extents{4, 6});
    CHECK(grids[0].axis_of_column == std::vector<int>{0, 1, 0, 1, 0, 1});
    CHECK(grids[0].line(0, grid_sample({4, 6}, 6)) == Extents{0, 6, 12, 18});
    CHECK(grids[0].line(1, grid_sample({4, 6}, 6)) == Extents{0, 1, 2, 3, 4, 5});
}

TEST_CASE("point grid: three axes are found beside two of them as one") {
    const std::vector<PointGrid> grids = point_grids(grid_sample({3, 4, 5}, 6), 0);
    REQUIRE(grids.size() == 3);
    CHECK(grids[0].extents == Extents{3, 20});
    CHECK(grids[1].extents == Extents{12, 5});
    CHECK(grids[2].extents == Extents{3, 4, 5});
    CHECK(grids[2].stride(0) == 20);
}

TEST_CASE("point grid: rows of zeros in front are set aside") {
    const Sample sample = grid_sample({4, 6}, 6, 2);
    CHECK(leading_zero_rows(sample) == 2);
    const std::vector<PointGrid> grids = point_grids(sample, 2);
    REQUIRE(grids.size() == 1);
    CHECK(grids[0].line(0, sample) == Extents{2, 8, 14, 20});
}

TEST_CASE("point grid: constant columns stand for an axis of one index") {
    Sample sample = grid_sample({7}, 4);
    for (std::int64_t point = 0; point < 7; ++point) {
        sample.values[point * 4 + 1] = 1;
        sample.values[point * 4 + 3] = 1;
    }
    bool has_row = false;
    for (const PointGrid& grid : point_grids(sample, 0)) {
        has_row = has_row || grid.extents == Extents{1, 7};
    }
    CHECK(has_row);
}

TEST_CASE("point grid: each axis has a column, and an axis of one index two constant ones") {
    /// The columns, each by its axis; 'c' is a constant column.
    const auto fits = [](const Extents& extents, std::string_view columns) {
        const auto count = static_cast<std::int64_t>(columns.size());
        Sample sample = grid_sample(extents, count);
        for (std::size_t i = 0; i < sample.values.size(); ++i) {
            const char of = columns[i % columns.size()];
            const std::vector<std::int64_t> index =
                index_of(static_cast<std::int64_t>(i) / count, extents);
            sample.values[i] = of == 'c' ? 1 : std::sin(1.0 + static_cast<double>(index[of - '0']));
        }
        return point_grid(sample, 0, extents).has_value();
    };
    CHECK(fits({2, 2}, "01"));
    CHECK(fits({4, 6}, "10"));
    CHECK(fits({3, 4, 5}, "201"));
    for (const char* columns : {"0", "1", "00", "11", "0c", "1c"}) {
        CAPTURE(columns);
        CHECK(!fits({4, 6}, columns));
    }
    for (const char* columns : {"01", "02", "12"}) CHECK(!fits({3, 4, 5}, columns));
    CHECK(fits({1, 6}, "1cc"));
    CHECK(!fits({1, 6}, "1c"));
    CHECK(fits({6, 1}, "0cc"));
    CHECK(!fits({6, 1}, "0c"));
}

TEST_CASE("point grid: a spoiled value, a plain sequence and NaN are on no grid") {
    Sample sample = grid_sample({4, 6}, 6);
    sample.values[17] += 0.01;
    CHECK(point_grids(sample, 0).empty());
    CHECK(point_grids(grid_sample({24}, 6), 0).empty());
    sample.values[17] = std::numeric_limits<double>::quiet_NaN();
    CHECK(point_grids(sample, 0).empty());
}

}  // namespace pegen::evidence
