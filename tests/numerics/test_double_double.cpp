#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <utility>

#include "core/double_double.h"
#include "exact_error.h"
#include "numerics/real.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// Doubles of either sign from 2^-40 to 2^40.
class Doubles {
  public:
    double next() {
        const double significand = std::uniform_real_distribution(1.0, 2.0)(random_);
        const double value = std::ldexp(significand, static_cast<int>(random_() % 80) - 40);
        return random_() % 2 ? value : -value;
    }
    DoubleDouble next_pair() {
        const double high = next();
        return sum_ordered(high, std::ldexp(high, -54) * std::uniform_real_distribution()(random_));
    }

  private:
    std::mt19937_64 random_{1};
};

Real real(DoubleDouble a) {
    Real result(a.high);
    mpfr_add_d(result.get(), result.get(), a.low, MPFR_RNDN);
    return result;
}

Real exact_product(DoubleDouble a, DoubleDouble b) {
    Real result = real(a);
    mpfr_mul(result.get(), result.get(), real(b).get(), MPFR_RNDN);
    return result;
}

double magnitude(const Real& value) { return std::fabs(mpfr_get_d(value.get(), MPFR_RNDU)); }

}  // namespace

TEST_CASE("double-double: a sum is exact, and its high part is the rounded sum") {
    Doubles doubles;
    for (int i = 0; i < 20000; ++i) {
        double a = doubles.next(), b = doubles.next();
        if (i % 4 == 0) b = -std::nextafter(a, 0.0);  // cancels to a few bits
        const DoubleDouble total = sum(a, b);
        CHECK(total.high == a + b);
        CHECK(error_of(total, real({a, b})) == 0);
        if (std::fabs(a) < std::fabs(b)) std::swap(a, b);
        const DoubleDouble ordered = sum_ordered(a, b);
        CHECK(ordered.high == total.high);
        CHECK(ordered.low == total.low);
    }
}

TEST_CASE("double-double: a product is within 2^-103 of itself") {
    Doubles doubles;
    for (int i = 0; i < 20000; ++i) {
        const DoubleDouble a = doubles.next_pair(), b = doubles.next_pair();
        const Real exact = exact_product(a, b);
        CHECK(error_of(product(a, b), exact) <= 0x1p-103 * magnitude(exact));
    }
}

TEST_CASE("double-double: a sum of products is within 2^-102 of their magnitudes") {
    Doubles doubles;
    for (int i = 0; i < 20000; ++i) {
        const DoubleDouble a = doubles.next_pair(), b = doubles.next_pair();
        DoubleDouble c = doubles.next_pair(), d = doubles.next_pair();
        if (i % 4 == 0) {  // cancels
            c = negative(b);
            d = {a.high, std::nextafter(a.low, 0.0)};
        }
        const Real ab = exact_product(a, b), cd = exact_product(c, d);
        Real exact = ab;
        mpfr_add(exact.get(), exact.get(), cd.get(), MPFR_RNDN);
        CHECK(error_of(sum_of_products(a, b, c, d), exact) <=
              0x1p-102 * (magnitude(ab) + magnitude(cd)));
    }
}
