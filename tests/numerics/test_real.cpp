#include <doctest/doctest.h>

#include <cmath>
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
