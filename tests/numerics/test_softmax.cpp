#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "numerics/softmax.h"

using namespace pegen::numerics;

namespace {

/// The weight of the second of two scores, 0 and x.
double second_weight(double x) {
    std::vector<double> scores{0, x};
    softmax(scores);
    return scores[1];
}

}  // namespace

TEST_CASE("softmax: weights are exact to a few units in the last place") {
    double worst = 0;
    for (double x = 0; x > -708; x -= 0.0137) {
        const long double e = std::exp(static_cast<long double>(x));
        const auto exact = static_cast<double>(e / (1 + e));
        worst = std::max(worst, std::fabs(second_weight(x) - exact) / exact);
    }
    CHECK(worst < 0x1p-50);
}

TEST_CASE("softmax: weights fall to zero through the smallest doubles") {
    CHECK(second_weight(-720) == doctest::Approx(std::exp(-720.0)));
    CHECK(second_weight(-745) == std::numeric_limits<double>::denorm_min());
    CHECK(second_weight(-746) == 0);
    CHECK(second_weight(-1e300) == 0);
    CHECK(second_weight(-std::numeric_limits<double>::infinity()) == 0);
}

TEST_CASE("softmax: only differences of scores count, and large ones do not overflow") {
    std::vector<double> scores{1000, 1001, 999.5};
    softmax(scores);
    std::vector<double> shifted{0, 1, -0.5};
    softmax(shifted);
    CHECK(scores == shifted);
    CHECK(sum_of(scores) == doctest::Approx(1).epsilon(1e-15));
    std::vector<double> one{-7};
    softmax(one);
    CHECK(one.front() == 1);
}

TEST_CASE("sum_of: eight sums, then these in pairs") {
    std::vector<double> values(21);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
    double sums[8] = {};
    for (std::size_t i = 0; i < values.size(); ++i) sums[i % 8] += values[i];
    CHECK(sum_of(values) == ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
                                ((sums[4] + sums[5]) + (sums[6] + sums[7])));
    CHECK(sum_of({}) == 0);
}
