#include <doctest/doctest.h>

#include <array>
#include <bit>

#include "core/error.h"
#include "numerics/self_test.h"
#include "oracle.h"

using namespace pegen;
using namespace pegen::numerics;

TEST_CASE("self-test: its values are those of MPFR, and it passes") {
    for (const KnownValue& value : hard_values()) {
        CAPTURE(value.position);
        CHECK(std::bit_cast<float>(value.bits) ==
              (value.function == Function::sin ? oracle::sin_float(value.position, 1, 0, 1)
                                               : oracle::cos_float(value.position, 1, 0, 1)));
    }
    CHECK_NOTHROW(self_test());
}

TEST_CASE("self-test: another value than the known one is an internal error that says which") {
    // The float32 number next to sin 1.
    constexpr std::array wrong{KnownValue{1, Function::sin, 0x3f576aa5}};
    CHECK_THROWS_WITH_AS(
        self_test(wrong),
        "this machine computes sin(1) as 0x1.aed548p-1, which is 0x1.aed54ap-1; no "
        "table would be right",
        InternalError);
}
