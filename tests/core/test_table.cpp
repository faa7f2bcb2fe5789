#include <doctest/doctest.h>

#include <algorithm>

#include "core/table.h"
#include "core/to_size.h"

using namespace pegen;

namespace {

/// Rows of two elements: 10 * row + column.
RowSource numbered_rows() {
    return rounded(
        [](RowRange range, std::span<double> out) {
            for (std::int64_t i = 0; i < 2 * range.count; ++i) {
                out[to_size(i)] = static_cast<double>(10 * (range.first + i / 2) + i % 2);
            }
        },
        2, DType::float32);
}

std::vector<double> rows_of(RowSource source, RowRange range) {
    Table table;
    table.shape = Shape{10000, 2};
    table.rows = std::move(source);
    return read_rows(table, range);
}

}  // namespace

TEST_CASE("table: rows are the same however they are cut") {
    const std::vector<double> whole = rows_of(numbered_rows(), {0, 5000});
    CHECK(whole[9999] == 49991);
    CHECK(rows_of(numbered_rows(), {4999, 1}) == std::vector<double>{49990, 49991});
}
