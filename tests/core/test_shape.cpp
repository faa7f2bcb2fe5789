#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "core/error.h"
#include "core/shape.h"

using namespace pegen;

TEST_CASE("shape: a row is everything along the last axis") {
    CHECK(Shape{2, 3, 4}.rows() == 6);
    CHECK(Shape{2, 3, 4}.columns() == 4);
    CHECK(Shape{2, 3, 4}.size() == 24);
}

TEST_CASE("shape: each element of one axis is a row of its own") {
    CHECK(Shape{5}.rows() == 5);
    CHECK(Shape{5}.columns() == 1);
    CHECK(Shape{}.rows() == 1);
    CHECK(Shape{}.size() == 1);
}

TEST_CASE("shape: is written as a tuple of Python") {
    CHECK(to_string(Shape{}) == "()");
    CHECK(to_string(Shape{4}) == "(4,)");
    CHECK(to_string(Shape{400, 128}) == "(400, 128)");
}

TEST_CASE("shape: more than 2^63 - 1 elements are refused") {
    CHECK_NOTHROW(Shape{INT64_MAX, 1});
    CHECK_THROWS_AS(Shape({INT64_MAX, 2}), UsageError);
    CHECK_THROWS_AS(Shape({1L << 32, 1L << 32, 1}), UsageError);
    CHECK_THROWS_AS(Shape({-1}), UsageError);
}

TEST_CASE("shape: an element's place along each axis, in C order") {
    using Index = std::vector<std::int64_t>;
    const Index extents{2, 3, 4};
    CHECK(strides_of(extents) == Index{12, 4, 1});
    CHECK(strides_of(Index{}) == Index{});
    CHECK(index_of(0, extents) == Index{0, 0, 0});
    CHECK(index_of(23, extents) == Index{1, 2, 3});
    CHECK(index_of(17, extents) == Index{1, 1, 1});
    CHECK(index_of(0, Index{}) == Index{});
}

TEST_CASE("shape: a row's place along each axis that rows are counted along") {
    using Index = std::vector<std::int64_t>;
    CHECK(index_of_row({2, 3, 4}, 5) == Index{1, 2});
    CHECK(index_of_row({5}, 4) == Index{4});
    CHECK(index_of_row({}, 0) == Index{});
}
