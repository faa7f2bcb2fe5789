#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "numerics/plane_waves.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// Returns the exact result of the formula.
double exact(double low, double high, std::int64_t i, std::int64_t count) {
    const Precision precision(5000);
    const auto last = static_cast<double>(count - 1), at = static_cast<double>(i);
    return nearest_double((Real(low) * (last - at) + Real(high) * at) / last);
}

}  // namespace

TEST_CASE("coordinates: between two numbers, every one is the nearest, and the ends are the ends") {
    constexpr std::array<double, 11> numbers{
        0, 1, -1, 0.1, -0.2, 0.7, 1e6, 1e-6, 1.0 / 3, 1e-300, 9007199254740991.0};
    for (const double low : numbers) {
        for (const double high : numbers) {
            for (const std::int64_t count : {2, 3, 7, 19, 1000003}) {
                INFO(low, " ", high, " ", count);
                const Coordinates all = Coordinates::between(low, high, count);
                REQUIRE(all.size() == count);
                const auto at = [&](std::int64_t i) {
                    return all.for_rounding_to(DType::float64, i);
                };
                CHECK(at(0) == low);
                CHECK(at(count - 1) == high);
                for (const std::int64_t i : {std::int64_t{1}, count / 3, count / 2, count - 2}) {
                    CHECK(at(i) == exact(low, high, i, count));
                    CHECK(nearest_double(Real(all.origin()) + all.step() * all.positions()[i]) ==
                          doctest::Approx(at(i)));
                }
                if (low == -high && count % 2 == 1) CHECK(at(count / 2) == 0);
                CHECK(all.largest() == std::fmax(std::fabs(low), std::fabs(high)));
            }
        }
    }
    CHECK(Coordinates::between(0.3, 1, 1).for_rounding_to(DType::float64, 0) == 0.3);
}

TEST_CASE("coordinates: the middle of a grid is 0 without a sign, whatever the unit") {
    for (const double unit : {0.1, 1.0, 3.7}) {
        const Coordinates middles(Positions(-6, 2, 7), unit, 7);
        CHECK(middles.for_rounding_to(DType::float64, 3) == 0);
        CHECK_FALSE(std::signbit(middles.for_rounding_to(DType::float64, 3)));
    }
}

TEST_CASE("coordinates: a number next to a midpoint is rounded once") {
    // 1 + 2^-24 is halfway between two floats, so the term 1e-300 decides the rounding.
    const Coordinates up = Coordinates::between(1 + 0x1p-24, 1 + 0x1p-24, 2);
    CHECK(static_cast<float>(up.for_rounding_to(DType::float32, 0)) == 1);
    const Coordinates decided = Coordinates::between(2e-300, 2 * (1 + 0x1p-24), 3);
    CHECK(static_cast<float>(decided.for_rounding_to(DType::float32, 1)) == 1 + 0x1p-23F);
}
