#include <doctest/doctest.h>

#include <atomic>

#include "rows/kept.h"

using namespace pegen;

TEST_CASE("kept: each row is read once, and is what it was") {
    std::atomic<std::int64_t> read = 0;
    Table table;
    table.shape = Shape{30000, 3};
    table.rows = rounded({[&](RowRange range, std::span<double> out) {
                              read += range.count;
                              for (std::size_t i = 0; i < out.size(); ++i) {
                                  out[i] =
                                      static_cast<double>(3 * range.first) + static_cast<double>(i);
                              }
                          },
                          table.shape.rows(), 3},
                         DType::float32);
    table.rows = rows::kept(table.rows);
    CHECK(read == 30000);
    CHECK(read_rows(table, {9999, 2}) ==
          std::vector<double>{29997, 29998, 29999, 30000, 30001, 30002});
    CHECK(read_rows(table, {29999, 1}).back() == 89999);
    CHECK(read == 30000);
}
