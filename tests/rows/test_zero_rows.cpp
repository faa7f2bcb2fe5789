#include <doctest/doctest.h>

#include <algorithm>

#include "rows/arranged.h"

using namespace pegen;
using namespace pegen::rows;

namespace {

/// Rows of two elements: 10 * row + column.
Rows numbered_rows() {
    return rounded({[](RowRange range, std::span<double> out) {
                        for (std::int64_t i = 0; i < 2 * range.count; ++i) {
                            out[static_cast<std::size_t>(i)] =
                                static_cast<double>(10 * (range.first + i / 2) + i % 2);
                        }
                    },
                    10000, 2},
                   DType::float32);
}

std::vector<double> rows_of(const Rows& rows, RowRange range) {
    Table table;
    table.shape = Shape{rows.count(), 2};
    table.rows = rows;
    return read_rows(table, range);
}

}  // namespace

TEST_CASE("zero rows: zeros come before the rows of the source") {
    const Rows rows = with_zero_rows_before(numbered_rows(), 2);
    CHECK(rows_of(rows, {0, 4}) == std::vector<double>{0, 0, 0, 0, 0, 1, 10, 11});
    CHECK(rows_of(rows, {1, 2}) == std::vector<double>{0, 0, 0, 1});
    CHECK(rows_of(rows, {0, 2}) == std::vector<double>{0, 0, 0, 0});
    CHECK(rows_of(rows, {3, 1}) == std::vector<double>{10, 11});
}

TEST_CASE("zero rows: a zero row is zero and no other") {
    const Rows rows = with_zero_row(numbered_rows(), 1);
    CHECK(rows_of(rows, {0, 3}) == std::vector<double>{0, 1, 0, 0, 20, 21});
    CHECK(rows_of(rows, {1, 1}) == std::vector<double>{0, 0});
    CHECK(rows_of(rows, {2, 1}) == std::vector<double>{20, 21});
}
