#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "rows/by_distance.h"

using namespace pegen;
using rows::AttentionSize;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// A line for each head: 100 * head + distance.
Rows distances(AttentionSize size, std::int64_t heads) {
    return rounded(
        {[=](RowRange range, std::span<double> out) {
             auto place = out.begin();
             for (std::int64_t head = range.first; head < range.first + range.count; ++head) {
                 for (std::int64_t i = 0; i < size.distances(); ++i) {
                     *place++ = static_cast<double>(100 * head + size.smallest_distance() + i);
                 }
             }
         },
         heads, size.distances()},
        DType::float64);
}

Table bias(AttentionSize size, std::int64_t heads) {
    Table table;
    table.shape = {heads, size.queries, size.keys};
    table.dtype = DType::float64;
    table.rows = rows::by_distance(distances(size, heads), size);
    return table;
}

}  // namespace

TEST_CASE("by distance: an element is that of the distance of its key and its query") {
    CHECK(read_rows(bias({3, 3}, 2), {0, 6}) ==
          std::vector<double>{0, 1, 2, -1, 0, 1, -2, -1, 0,  //
                              100, 101, 102, 99, 100, 101, 98, 99, 100});
    CHECK(read_rows(bias({3, 3}, 2), {2, 2}) == std::vector<double>{-2, -1, 0, 100, 101, 102});
}

TEST_CASE("by distance: fewer queries than keys are the last ones, more begin before the keys") {
    CHECK(read_rows(bias({1, 4}, 1), {0, 1}) == std::vector<double>{-3, -2, -1, 0});
    CHECK(read_rows(bias({2, 3}, 1), {0, 2}) == std::vector<double>{-1, 0, 1, -2, -1, 0});
    CHECK(read_rows(bias({3, 1}, 1), {0, 3}) == std::vector<double>{2, 1, 0});
}

TEST_CASE("by distance: a line may have several channels for each distance") {
    // Two channels for each of three distances, which one query and six keys have.
    Table table;
    table.shape = {2, 2, 2 * 2};
    table.dtype = DType::float64;
    table.rows = rows::by_distance(distances({1, 6}, 2), {2, 2});
    CHECK(read_rows(table, {0, 4}) == std::vector<double>{-3, -2, -1, 0, -5, -4, -3, -2,  //
                                                          97, 98, 99, 100, 95, 96, 97, 98});
}

TEST_CASE("by key: all queries of a head have the same row") {
    Table table;
    table.shape = {2, 3, 2};
    table.dtype = DType::float64;
    // Its distances are those of one query and two keys, -1 and 0.
    table.rows = rows::by_key(distances({1, 2}, 2), {3, 2});
    CHECK(read_rows(table, {0, 6}) ==
          std::vector<double>{-1, 0, -1, 0, -1, 0, 99, 100, 99, 100, 99, 100});
    CHECK(read_rows(table, {2, 2}) == std::vector<double>{-1, 0, 99, 100});
}

TEST_CASE("by distance: causal hides the keys after a query, in every floating dtype") {
    for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
        CAPTURE(info(dtype).name);
        Table table;
        table.shape = {1, 2, 3};
        table.dtype = dtype;
        const auto ones = [](RowRange, std::span<double> out) { std::ranges::fill(out, 1.0); };
        table.rows = rows::causal(rounded({ones, 2, 3}, dtype), {2, 3});
        CHECK(read_rows(table, {0, 2}) == std::vector<double>{1, 1, -inf, 1, 1, 1});
    }
    CHECK_THROWS_AS(rows::causal(Rows(nullptr, 2, 3, DType::int32), {2, 3}), UsageError);
}
