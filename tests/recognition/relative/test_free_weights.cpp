#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "recognition/relative/free_weights.h"

using namespace pegen::recognition;

namespace {

std::vector<double> noise(int count) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(normal(random));
    return values;
}

}  // namespace

TEST_CASE("free weights: independent numbers may be trained, and some may be unknown") {
    std::vector<double> weights = noise(60);
    CHECK(may_be_trained(weights, 3));
    for (std::size_t i = 0; i < 20; ++i) weights[i] = std::numeric_limits<double>::quiet_NaN();
    CHECK(may_be_trained(weights, 3));
}

TEST_CASE("free weights: three quarters must tell, and three quarters differ") {
    CHECK(may_be_trained(std::vector<double>{0.1, 0.2, 0.3, 1}, 1));
    CHECK(!may_be_trained(std::vector<double>{0.1, 0.2, 0.3, 1, 2}, 1));
    CHECK(may_be_trained(std::vector<double>{0.1, 0.2, 0.3, 0.3}, 1));
    CHECK(!may_be_trained(std::vector<double>{0.1, 0.2, 0.3, 0.3, 0.3}, 1));
}

TEST_CASE("free weights: symmetric, few, whole and no numbers are not trained") {
    std::vector<double> symmetric = noise(31);
    for (std::size_t i = 0; i < 15; ++i) symmetric[30 - i] = symmetric[i];
    CHECK(!may_be_trained(symmetric, 1));
    std::vector<double> band(40, 0.0);
    band[19] = 0.31;
    CHECK(!may_be_trained(band, 1));
    std::vector<double> whole;
    for (int i = 0; i < 40; ++i) whole.push_back(i);
    CHECK(!may_be_trained(whole, 1));
    CHECK(!may_be_trained({}, 1));
    CHECK(!may_be_trained(std::vector<double>(8, std::nan("")), 2));
}
