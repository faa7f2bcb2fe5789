#include <doctest/doctest.h>

#include <cstdint>

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
