#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "core/quick_rounding.h"

using namespace pegen;

namespace {

/// True if the value is in doubt or rounded as by round_to().
template <class T>
bool is_right(double value) {
    const RoundedValue<T> quick = rounded_quickly<T>(value);
    return quick.doubt != 0 || quick.value == round_to<T>(value);
}

/// How many of the numbers next to midpoints between two numbers of T are rounded wrongly.
template <class T>
int faults_next_to_midpoints() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    int count = 0;
    for (unsigned i = 0; i < 0x10000; ++i) {
        const double below = widen(T{static_cast<std::uint16_t>(i)});
        const double above = widen(T{static_cast<std::uint16_t>(i + 1)});
        if (!std::isfinite(below)) continue;
        const double midpoint = std::isfinite(above) ? below + (above - below) / 2 : below;
        for (const double end : {-infinity, infinity}) {
            const double next = std::nextafter(midpoint, end);
            const double next_float =
                std::nextafter(static_cast<float>(midpoint), static_cast<float>(end));
            for (const double value : {midpoint, next, next_float, below}) {
                if (!is_right<T>(value)) ++count;
            }
        }
    }
    return count;
}

}  // namespace

TEST_CASE_TEMPLATE("quick rounding: what is not in doubt is right", T, float16, bfloat16) {
    CHECK(faults_next_to_midpoints<T>() == 0);
    CHECK(rounded_quickly<T>(0.0).doubt != 0);
    CHECK(rounded_quickly<T>(std::numeric_limits<double>::infinity()).doubt != 0);
    CHECK(rounded_quickly<T>(std::numeric_limits<double>::quiet_NaN()).doubt != 0);
    CHECK(rounded_quickly<T>(1e300).doubt != 0);
    CHECK(rounded_quickly<T>(0.3).doubt == 0);
}

TEST_CASE_TEMPLATE("quick rounding: few values are in doubt", T, float16, bfloat16) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> sines(-1, 1);
    int doubts = 0;
    for (int i = 0; i < 100'000; ++i) {
        const double value = sines(random);
        CHECK(is_right<T>(value));
        if (rounded_quickly<T>(value).doubt != 0) ++doubts;
    }
    CHECK(doubts < 50);
}

TEST_CASE_TEMPLATE("quick rounding: what is less than `least` is in doubt", T, float16, bfloat16) {
    const auto least = std::bit_cast<std::uint32_t>(0.25F);
    CHECK(rounded_quickly_from<T>(least, 0.2501).doubt == 0);
    CHECK(rounded_quickly_from<T>(least, -0.2501).doubt == 0);
    CHECK(rounded_quickly_from<T>(least, 0.2499).doubt != 0);
    CHECK(rounded_quickly_from<T>(upper_bits<T>.overflow(), 0.2501).doubt != 0);
}
