#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/dtype.h"
#include "exact_error.h"
#include "numerics/real.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// a + b, exactly.
Real real(double a, double b) {
    Real result(a);
    mpfr_add_d(result.get(), result.get(), b, MPFR_RNDN);
    return result;
}

}  // namespace

TEST_CASE("real: its nearest double-double has the nearest double as its high part") {
    Real third(1.0);
    mpfr_div_ui(third.get(), third.get(), 3, MPFR_RNDN);
    const DoubleDouble pair = nearest_double_double(third);
    CHECK(pair.high == 1.0 / 3);
    CHECK(error_of(pair, third) <= 0x1p-107 / 3);
}

TEST_CASE("real: is rounded once, on either side of a midpoint and on it") {
    // Rounded to a double first, all three would be the midpoint.
    const auto rounded = [](double midpoint, double rest, auto element) {
        using T = decltype(element);
        constexpr DType dtype = std::is_same_v<T, float>     ? DType::float32
                                : std::is_same_v<T, float16> ? DType::float16
                                                             : DType::bfloat16;
        return widen(round_to<T>(for_rounding_to(dtype, real(midpoint, rest))));
    };
    const auto check = [&](double midpoint, double spacing, auto element) {
        CHECK(rounded(midpoint, 0x1p-200, element) == midpoint + spacing / 2);
        CHECK(rounded(midpoint, -0x1p-200, element) == midpoint - spacing / 2);
        CHECK(rounded(midpoint, 0, element) == midpoint - spacing / 2);  // even
        CHECK(rounded(-midpoint, -0x1p-200, element) == -midpoint - spacing / 2);
    };
    check(1 + 0x1p-24, 0x1p-23, float{});
    check(1 + 0x1p-11, 0x1p-10, float16{});
    check(0x1.01p0, 0x1p-7, bfloat16{});
    CHECK(for_rounding_to(DType::float64, real(1, 0x1.8p-53)) == 1 + 0x1p-52);
}

TEST_CASE("decimal text: has as many digits as are asked for, and rounds the last one") {
    CHECK(decimal_text(2 * pi(), 40) == "6.283185307179586476925286766559005768394");
    CHECK(decimal_text(Real(1.0) / 3, 5) == "0.33333");
    CHECK(decimal_text(Real(2.0) / 3, 5) == "0.66667");
    CHECK(decimal_text(Real(-0.5), 4) == "-0.5000");
    CHECK(decimal_text(Real(99999.0), 3) == "1.00e+05");
    CHECK(decimal_text(Real(123456.0), 6) == "123456");
    CHECK(decimal_text(Real(1200.0), 4) == "1200");
    CHECK(decimal_text(Real(12.0), 4) == "12.00");
}

TEST_CASE("decimal text: far from the point there is an exponent") {
    CHECK(short_decimal_text(Real(0.001), 3) == "0.001");
    CHECK(short_decimal_text(Real(0.00025), 3) == "0.00025");
    CHECK(short_decimal_text(Real(0.000025), 3) == "2.5e-05");
    CHECK(short_decimal_text(Real(-1e-100), 3) == "-1e-100");
    CHECK(short_decimal_text(Real(1e20), 20) == "1e+20");
    CHECK(short_decimal_text(Real(1e19), 20) == "10000000000000000000");
    CHECK(decimal_text(Real(0x1p-1074), 5) == "4.9407e-324");
}

TEST_CASE("decimal text: zeros at the end can be left out, and some numbers have names") {
    CHECK(short_decimal_text(Real(0.5), 20) == "0.5");
    CHECK(short_decimal_text(Real(100.0), 20) == "100");
    CHECK(short_decimal_text(Real(1.0) / 3, 4) == "0.3333");
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const auto text : {decimal_text, short_decimal_text}) {
        CHECK(text(Real(0.0), 4) == "0");
        CHECK(text(Real(-0.0), 4) == "0");
        CHECK(text(Real(infinity), 4) == "inf");
        CHECK(text(Real(-infinity), 4) == "-inf");
        CHECK(text(Real(infinity) - infinity, 4) == "nan");
    }
}

TEST_CASE("decimal text: a number is told from one that only begins like a decimal") {
    CHECK(is_decimal(Real(0.5), 40));
    CHECK(is_decimal(Real(0.0), 40));
    CHECK(is_decimal(Real(1.0) / 10, 40));
    CHECK_FALSE(is_decimal(Real(0.1), 40));  // has 55 digits
    CHECK_FALSE(is_decimal(Real(1.0) / 3, 40));
    CHECK_FALSE(is_decimal(pi(), 40));
}
