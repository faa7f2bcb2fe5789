#include <doctest/doctest.h>

#include "core/dtype.h"
#include "numerics/rounding.h"

using namespace pegen;
using namespace pegen::numerics;

TEST_CASE("certain: a double-double is rounded once, on either side of a midpoint and on it") {
    const auto check = [](double midpoint, double spacing, auto element) {
        using T = decltype(element);
        for (const double sign : {1.0, -1.0}) {
            const auto rounded = [&](double low) {
                return sign * widen(round_once<T>({sign * midpoint, sign * low}));
            };
            CHECK(rounded(0x1p-90) == midpoint + spacing / 2);
            CHECK(rounded(-0x1p-90) == midpoint - spacing / 2);
            CHECK(rounded(0) == midpoint - spacing / 2);  // even
        }
    };
    check(1 + 0x1p-24, 0x1p-23, float{});
    check(1 + 0x1p-11, 0x1p-10, float16{});
    check(0x1.01p0, 0x1p-7, bfloat16{});
    CHECK(round_once<double>({1, 0x1.8p-53}) == 1 + 0x1p-52);
}

TEST_CASE("certain: a value is certain if no midpoint is within its error") {
    const double midpoint = 1 + 0x1p-24;
    CHECK(round_certainly<float>({midpoint, 0x1p-80}, 0x1p-81).is_certain);
    CHECK(round_certainly<float>({midpoint, 0x1p-80}, 0x1p-81).value == 1 + 0x1p-23F);
    CHECK_FALSE(round_certainly<float>({midpoint, 0x1p-80}, 0x1p-79).is_certain);
    CHECK_FALSE(round_certainly<float>({midpoint, 0}, 0x1p-100).is_certain);
    CHECK(round_certainly<float>({1, 0}, 0x1p-30).is_certain);
    CHECK_FALSE(round_certainly<double>({1, 0x1p-53}, 0x1p-90).is_certain);
    CHECK(round_certainly<double>({1, 0x1.00001p-53}, 0x1p-90).is_certain);
}
