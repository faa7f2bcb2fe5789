#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/dtype.h"

using namespace pegen;

TEST_CASE("element: float16 is rounded once from the double") {
    CHECK(bits(round_to<float16>(1.0)) == 0x3c00);
    CHECK(bits(round_to<float16>(-2.0)) == 0xc000);
    CHECK(bits(round_to<float16>(65504.0)) == 0x7bff);
    CHECK(bits(round_to<float16>(65519.99)) == 0x7bff);
    CHECK(bits(round_to<float16>(65520.0)) == 0x7c00);
    CHECK(bits(round_to<float16>(-0.0)) == 0x8000);
    // A value halfway between 1 and the next number is rounded to even. A value slightly above that
    // midpoint is rounded up, though rounding to float first would yield the midpoint.
    CHECK(bits(round_to<float16>(1 + 0x1p-11)) == 0x3c00);
    CHECK(bits(round_to<float16>(1 + 0x1p-11 + 0x1p-40)) == 0x3c01);
}

TEST_CASE("element: float16 has subnormals") {
    CHECK(bits(round_to<float16>(0x1p-14)) == 0x0400);
    CHECK(bits(round_to<float16>(0x1p-24)) == 0x0001);
    CHECK(bits(round_to<float16>(0x1p-25)) == 0x0000);
    CHECK(bits(round_to<float16>(0x1.8p-25)) == 0x0001);
    CHECK(bits(round_to<float16>(0x1.ffcp-15 + 0x1p-26)) == 0x0400);
}

TEST_CASE("element: bfloat16 is rounded once from the double") {
    CHECK(bits(round_to<bfloat16>(1.0)) == 0x3f80);
    CHECK(bits(round_to<bfloat16>(1 + 0x1p-8)) == 0x3f80);
    CHECK(bits(round_to<bfloat16>(1 + 0x1p-8 + 0x1p-40)) == 0x3f81);
    CHECK(bits(round_to<bfloat16>(-1.0)) == 0xbf80);
    CHECK(bits(round_to<bfloat16>(1e300)) == 0x7f80);
}

TEST_CASE("element: every float16 and bfloat16 survives conversion to double and back") {
    for (unsigned i = 0; i < 0x10000; ++i) {
        const float16 half{static_cast<std::uint16_t>(i)};
        const bfloat16 brain{static_cast<std::uint16_t>(i)};
        if (!std::isnan(widen(half))) REQUIRE(round_to<float16>(widen(half)) == half);
        if (!std::isnan(widen(brain))) REQUIRE(round_to<bfloat16>(widen(brain)) == brain);
    }
    CHECK(std::isnan(widen(round_to<float16>(std::nan("")))));
    CHECK(std::isnan(widen(round_to<bfloat16>(std::nan("")))));
}

TEST_CASE("element: values stored in each dtype are loaded again") {
    const std::vector<double> values{0, 1, 0, 1, 1};
    for (const DTypeInfo& dtype : dtypes) {
        std::vector<std::byte> bytes(values.size() * dtype.size);
        store(values, dtype.dtype, bytes);
        std::vector<double> loaded(values.size());
        load(bytes, dtype.dtype, loaded);
        CHECK(loaded == values);
    }
}
