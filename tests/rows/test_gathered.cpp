#include <doctest/doctest.h>

#include "core/shape.h"
#include "rows/by_distance.h"

using namespace pegen;

TEST_CASE("gathered: an element is the number its index names, in the column of its head") {
    // index(i, j) = i + j, of rows (10 h + row).
    const auto index = [](RowRange range, std::span<double> out) {
        const std::size_t columns = out.size() / to_size(range.count);
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = static_cast<double>(to_size(range.first) + i / columns + i % columns);
        }
    };
    const auto weights = std::make_shared<const std::vector<double>>(
        std::vector<double>{0, 10, 1, 11, 2, 12, 3, 13});
    Table table;
    table.shape = {2, 2, 3};
    table.dtype = DType::float64;
    table.rows = rounded(rows::gathered_by_head({index, 2, 3}, weights, 2), DType::float64);
    CHECK(read_rows(table, {0, 4}) ==
          std::vector<double>{0, 1, 2, 1, 2, 3, 10, 11, 12, 11, 12, 13});
    CHECK(read_rows(table, {1, 2}) == std::vector<double>{1, 2, 3, 10, 11, 12});
}
