#include <doctest/doctest.h>

#include <numeric>

#include "encodings/table_of.h"
#include "rows/arithmetic.h"

using namespace pegen;

namespace {

/// first, first + step, ...
Table counted(Shape shape, double first, double step, DType dtype) {
    Table table;
    table.dtype = dtype;
    table.shape = std::move(shape);
    const std::int64_t columns = table.shape.columns();
    table.rows =
        rounded({[=](RowRange range, std::span<double> out) {
                     for (std::size_t i = 0; i < out.size(); ++i) {
                         out[i] = first + step * static_cast<double>(range.first * columns +
                                                                     static_cast<std::int64_t>(i));
                     }
                 },
                 table.shape.rows(), columns},
                dtype);
    return table;
}

std::vector<double> sum(Table x, const Table& addend, DType dtype) {
    x.rows = rows::sum(x, addend, dtype);
    x.dtype = dtype;
    return all_values(x);
}

}  // namespace

TEST_CASE("sum: a table is added to each part of an array of more axes") {
    const Table x = counted({2, 2, 3}, 0, 1, DType::float32);
    const Table table = counted({2, 3}, 0, 100, DType::float64);
    const std::vector<double> expected{0, 101, 202, 303, 404, 505, 6, 107, 208, 309, 410, 511};
    CHECK(sum(x, table, DType::float32) == expected);
    CHECK(sum(x, table, DType::float64) == expected);
}

TEST_CASE("sum: an extent of 1 serves all indices of its axis") {
    const Table scores = counted({2, 2, 2, 2}, 0, 1, DType::float32);
    const Table bias = counted({2, 1, 2}, 0, 100, DType::float64);
    CHECK(sum(scores, bias, DType::float32) == std::vector<double>{0, 101, 2, 103, 204, 305, 206,
                                                                   307, 8, 109, 10, 111, 212, 313,
                                                                   214, 315});
}

TEST_CASE("sum: the sum in double is rounded once") {
    const Table x = counted({1, 1}, 1, 0, DType::bfloat16);
    const Table addend = counted({1, 1}, 0x1p-8 + 0x1p-40, 0, DType::float64);
    CHECK(sum(x, addend, DType::bfloat16) == std::vector<double>{1 + 0x1p-7});
}

TEST_CASE("sum: shapes fit at their last axes") {
    CHECK(rows::fits_into({3, 4}, {3, 4}));
    CHECK(rows::fits_into({3, 4}, {2, 3, 4}));
    CHECK(rows::fits_into({8, 1, 4}, {2, 8, 5, 4}));
    CHECK(rows::fits_into({4}, {4}));
    CHECK_FALSE(rows::fits_into({4}, {3, 4}));
    CHECK_FALSE(rows::fits_into({3, 1}, {3, 4}));
    CHECK_FALSE(rows::fits_into({2, 3, 4}, {3, 4}));
    CHECK_FALSE(rows::fits_into({2, 4}, {3, 4}));
}
