#include <doctest/doctest.h>

#include "encodings/table_of.h"
#include "rows/arranged.h"

using namespace pegen;

namespace {

/// 0, 1, 2, ...
Table counted(Shape shape) {
    Table table;
    table.dtype = DType::int32;
    table.shape = std::move(shape);
    const std::int64_t columns = table.shape.columns();
    table.rows = rounded(
        {[=](RowRange range, std::span<double> out) {
             for (std::size_t i = 0; i < out.size(); ++i) {
                 out[i] = static_cast<double>(range.first * columns + static_cast<std::int64_t>(i));
             }
         },
         table.shape.rows(), columns},
        table.dtype);
    return table;
}

std::vector<double> permuted(Table x, int axis, const std::vector<std::int64_t>& order) {
    x.rows = rows::permuted(x, axis, order);
    return all_values(x);
}

}  // namespace

TEST_CASE("permuted: any axis is permuted in blocks") {
    CHECK(permuted(counted({4}), 0, {1, 0}) == std::vector<double>{1, 0, 3, 2});
    CHECK(permuted(counted({4, 2}), 0, {1, 0}) == std::vector<double>{2, 3, 0, 1, 6, 7, 4, 5});
    CHECK(permuted(counted({2, 4}), 1, {2, 0, 1, 3}) ==
          std::vector<double>{2, 0, 1, 3, 6, 4, 5, 7});
    CHECK(permuted(counted({2, 2, 2}), 0, {1, 0}) == std::vector<double>{4, 5, 6, 7, 0, 1, 2, 3});
    CHECK(permuted(counted({2, 2, 2}), 1, {1, 0}) == std::vector<double>{2, 3, 0, 1, 6, 7, 4, 5});
}
