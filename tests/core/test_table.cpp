#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.h"
#include "core/shape.h"
#include "core/table.h"

using namespace pegen;

namespace {

/// Rows of two elements: 10 * row + column.
Rows numbered_rows() {
    return rounded({[](RowRange range, std::span<double> out) {
                        for (std::int64_t i = 0; i < 2 * range.count; ++i) {
                            out[i] = static_cast<double>(10 * (range.first + i / 2) + i % 2);
                        }
                    },
                    10000, 2},
                   DType::float32);
}

std::vector<double> rows_of(const Rows& rows, RowRange range) {
    Table table;
    table.shape = Shape{10000, 2};
    table.rows = rows;
    return read_rows(table, range);
}

}  // namespace

TEST_CASE("table: rows are the same however they are cut") {
    const std::vector<double> whole = rows_of(numbered_rows(), {0, 5000});
    CHECK(whole[9999] == 49991);
    CHECK(rows_of(numbered_rows(), {4999, 1}) == std::vector<double>{49990, 49991});
}

TEST_CASE("rows: a request that does not fit is an error of the program") {
    const Rows rows = numbered_rows();
    std::vector<std::byte> out(3 * to_size(rows.bytes_per_row()));
    rows({9997, 3}, out);
    CHECK_THROWS_WITH_AS(rows({9998, 3}, out),
                         "3 rows from row 9998 in 24 bytes: there are 10000 rows of 8",
                         InternalError);
    CHECK_THROWS_AS(rows({-1, 3}, out), InternalError);
    CHECK_THROWS_AS(rows({0, 2}, out), InternalError);
    CHECK_THROWS_AS(rows({0, -1}, {}), InternalError);
    rows({10000, 0}, {});
    CHECK_THROWS_AS(Rows()({0, 1}, out), InternalError);
}
