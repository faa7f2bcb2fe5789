#include <doctest/doctest.h>

#include "numerics/geometric_scale.h"

using namespace pegen::numerics;

namespace {

bool are(StepsAround steps, std::int64_t before, std::int64_t after) {
    return steps.before == before && steps.after == after;
}

}  // namespace

TEST_CASE("geometric scale: a number at a step has that step on both sides, at either end too") {
    const GeometricScale scale{8, 128, 8};  // steps of a factor of sqrt(2)
    CHECK(are(steps_around(scale, 8), 0, 0));
    CHECK(are(steps_around(scale, 16), 2, 2));
    CHECK(are(steps_around(scale, 64), 6, 6));
    CHECK(are(steps_around(scale, 128), 8, 8));
    CHECK(are(steps_around(scale, 256), 10, 10));
}

TEST_CASE("geometric scale: a number between steps has one on either side") {
    const GeometricScale scale{8, 128, 8};
    CHECK(are(steps_around(scale, 9), 0, 1));
    CHECK(are(steps_around(scale, 11), 0, 1));
    CHECK(are(steps_around(scale, 12), 1, 2));
    CHECK(are(steps_around(scale, 15), 1, 2));
    CHECK(are(steps_around(scale, 17), 2, 3));
    CHECK(are(steps_around(scale, 300), 10, 11));
}

TEST_CASE(
    "geometric scale: steps at whole numbers are found where logarithms of doubles miss them") {
    CHECK(are(steps_around({8, 800, 8}, 80), 4, 4));
    CHECK(are(steps_around({16, 100, 16}, 40), 8, 8));
    for (std::int64_t k = 0; k < 12; ++k) {
        std::int64_t x = 1 << 12;  // 2^12 (3/2)^k
        for (std::int64_t i = 0; i < k; ++i) x = x / 2 * 3;
        CHECK(are(steps_around({1 << 12, 531441, 12}, x), k, k));
    }
}

TEST_CASE("geometric scale: numbers next to a step are told from it up to 2^53") {
    const std::int64_t end = std::int64_t{1} << 53;
    CHECK(are(steps_around({1, end, 53}, end), 53, 53));
    CHECK(are(steps_around({1, end, 53}, end - 1), 52, 53));
    CHECK(are(steps_around({1, end / 2, 52}, end / 2 + 1), 52, 53));
    CHECK(are(steps_around({1, end / 2, 52}, end / 2 - 1), 51, 52));
    CHECK(are(steps_around({end - 2, end - 1, 1000}, end), 1999, 2000));
}
