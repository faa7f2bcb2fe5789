#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "core/dtype.h"
#include "numerics/rounding.h"
#include "oracle.h"

using namespace pegen;
using namespace pegen::numerics;

TEST_CASE("rounding: a number rounded to odd is never taken for a midpoint") {
    const double midpoint = 1 + 0x1p-24;  // between two floats
    CHECK(static_cast<float>(round_to_odd(midpoint, Rest::nothing)) == 1.0F);
    CHECK(static_cast<float>(round_to_odd(midpoint, Rest::something)) == 1 + 0x1p-23F);
}

TEST_CASE("rounding: a quotient is rounded once to float") {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const auto b = static_cast<double>(random() >> 11) + 1;
        const auto a = static_cast<double>(random() >> 11);
        CHECK(static_cast<float>(quotient_for(DType::float32, a, b)) ==
              oracle::quotient_float(a, b));
        std::vector<double> numbers{a, 0, 2 * b, a / 3};
        for (const DType dtype : {DType::float32, DType::float64}) {
            std::vector<double> quotients = numbers;
            divide_for(dtype, quotients, b);
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                CHECK(quotients[k] == quotient_for(dtype, numbers[k], b));
            }
        }
    }
}

TEST_CASE("rounding: a quotient a hair above a midpoint goes up") {
    // b * (1 + 2^-24) = 2^52 + 2^28 - 1 - 2^-24: with the numerator one more than its integer part
    // the quotient lies 2^-76 above the midpoint, and the nearest double is the midpoint itself.
    const double b = 0x1p52 - 1;
    const double a = 0x1p52 + 0x1p28 - 1;
    REQUIRE(a / b == 1 + 0x1p-24);
    CHECK(oracle::quotient_float(a, b) == 1 + 0x1p-23F);
    CHECK(static_cast<float>(quotient_for(DType::float32, a, b)) == 1 + 0x1p-23F);
    CHECK(quotient_for(DType::float64, a, b) == a / b);
}

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
