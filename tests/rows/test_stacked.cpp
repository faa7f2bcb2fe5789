#include <doctest/doctest.h>

#include "rows/stacked.h"

using namespace pegen;

namespace {

/// Rows of one element: 100 * source + row.
RowSource numbered(double source) {
    return rounded(
        [=](RowRange range, std::span<double> out) {
            for (std::size_t i = 0; i < out.size(); ++i) {
                out[i] = 100 * source + static_cast<double>(range.first) + static_cast<double>(i);
            }
        },
        1, DType::float64);
}

}  // namespace

TEST_CASE("stacked: the rows of one source follow those of the one before, however they are cut") {
    Table table;
    table.shape = {3, 4, 1};
    table.dtype = DType::float64;
    table.rows = rows::stacked({numbered(0), numbered(1), numbered(2)}, 4, sizeof(double));
    CHECK(read_rows(table, {0, 12}) ==
          std::vector<double>{0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203});
    CHECK(read_rows(table, {3, 6}) == std::vector<double>{3, 100, 101, 102, 103, 200});
    CHECK(read_rows(table, {5, 1}) == std::vector<double>{101});
}
