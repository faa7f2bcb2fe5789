#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/double_double.h"
#include "numerics/real.h"

using namespace pegen;
using pegen::numerics::nearest_double;
using pegen::numerics::Real;

TEST_CASE("powers: random powers, exponentials and logarithms are the nearest doubles") {
    std::mt19937_64 engine(3);
    std::uniform_real_distribution<double> exponents(-60, 60), logarithms(-10, 10);
    for (int i = 0; i < 20000; ++i) {
        const double base = std::exp(logarithms(engine)), exponent = exponents(engine);
        REQUIRE(power(base, exponent) == nearest_double(pow(Real(base), exponent)));
        REQUIRE(exponential(exponent) == nearest_double(exp(Real(exponent))));
        REQUIRE(logarithm(base) == nearest_double(log(Real(base))));
    }
}

TEST_CASE("powers: at the ends of their ranges") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(power(2, 1024) == infinity);
    CHECK(power(-2, 1025) == -infinity);
    CHECK(power(2, -1074) == std::numeric_limits<double>::denorm_min());
    CHECK(power(2, -1100) == 0);
    CHECK(power(-3, 3) == -27);
    CHECK(power(-3, 2) == 9);
    CHECK(power(7, 0) == 1);
    CHECK(power(0, 3) == 0);
    CHECK(exponential(710) == infinity);
    CHECK(exponential(0) == 1);
    CHECK(logarithm(1) == 0);
    CHECK(logarithm(std::numeric_limits<double>::denorm_min()) ==
          nearest_double(log(Real(std::numeric_limits<double>::denorm_min()))));
}
