#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "core/quick_rounding.h"

using namespace pegen;

namespace {

template <class T>
bool is_right_or_in_doubt(double value) {
    const auto quick = rounded_quickly<T>(value);
    return quick.doubt != 0 || quick.value == round_to<T>(value);
}

/// Returns the number of wrong roundings among numbers next to midpoints between two numbers of T.
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
                if (!is_right_or_in_doubt<T>(value)) ++count;
            }
        }
    }
    return count;
}

}  // namespace

TEST_CASE_TEMPLATE("quick rounding: what is not in doubt is right", T, float16, bfloat16) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 200'000; ++i) {
        const double anything = std::bit_cast<double>(random());
        REQUIRE(is_right_or_in_doubt<T>(anything));
        // The numbers are near 1, at or slightly beside the midpoint of two numbers of T.
        const double usual = std::ldexp(static_cast<double>(random() >> 40), -20);
        const double midpoint = (widen(round_to<T>(usual)) + widen(round_to<T>(usual * 1.01))) / 2;
        for (const double value : {usual, midpoint, std::nextafter(midpoint, 0), -midpoint}) {
            REQUIRE(is_right_or_in_doubt<T>(value));
        }
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double value : {0.0, -0.0, infinity, -infinity, std::nan(""), 65504.0, 65519.99,
                               65520.0, 0x1p-14, 0x1.ffep-15, 0x1p-126, 0x1p-133, 3.4e38, 1e300}) {
        CHECK(is_right_or_in_doubt<T>(value));
    }
}

TEST_CASE_TEMPLATE("quick rounding: next to any midpoint too", T, float16, bfloat16) {
    CHECK(faults_next_to_midpoints<T>() == 0);
}

TEST_CASE_TEMPLATE("quick rounding: few values are in doubt", T, float16, bfloat16) {
    int doubts = 0;
    for (int i = 1; i <= 10'000; ++i) doubts += rounded_quickly<T>(std::sin(i)).doubt != 0;
    CHECK(doubts < 20);
    CHECK(rounded_quickly<T>(1.0).doubt == 0);
    CHECK(rounded_quickly<T>(-2.5).doubt == 0);
    CHECK(rounded_quickly<float16>(1 + 0x1p-11 + 0x1p-40).doubt != 0);
    CHECK(rounded_quickly<bfloat16>(1 + 0x1p-8 + 0x1p-40).doubt != 0);
}

TEST_CASE_TEMPLATE("quick rounding: what is less than `least` is in doubt", T, float16, bfloat16) {
    const auto least = std::bit_cast<std::uint32_t>(0.25F);
    CHECK(rounded_quickly_from<T>(least, 0.2501).doubt == 0);
    CHECK(rounded_quickly_from<T>(least, -0.2501).doubt == 0);
    CHECK(rounded_quickly_from<T>(least, 0.2499).doubt != 0);
    CHECK(rounded_quickly_from<T>(upper_bits<T>.overflow(), 0.2501).doubt != 0);
}
