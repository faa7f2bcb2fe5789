#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "formats/number_text.h"

using namespace pegen;

TEST_CASE("decimal: both texts of the shortest decimal read back as the same number") {
    using limits = std::numeric_limits<double>;
    for (const double number : {0.0, -0.0, 0.1, -1.0 / 3, 1e23, 9007199254740993.0, limits::max(),
                                limits::min(), limits::denorm_min()}) {
        const Decimal decimal = shortest_decimal(number);
        for (const std::string& text : {fixed_text(decimal), scientific_text(decimal, 2)}) {
            CAPTURE(text);
            CHECK(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)) ==
                  std::bit_cast<std::uint64_t>(number));
        }
    }
    CHECK(shortest_decimal(0.1f).digits == "1");
}

TEST_CASE("decimal: the exact value is rounded with ties to even") {
    const auto digits = [](double number, int places) {
        const Decimal decimal = rounded_decimal(number, places);
        return decimal.digits + "e" + std::to_string(decimal.exponent);
    };
    CHECK(digits(2.5, 0) == "2e0");
    CHECK(digits(3.5, 0) == "4e0");
    CHECK(digits(9.996, 2) == "100e1");
    CHECK(digits(0.1, 20) == "100000000000000005551e-1");
    CHECK(fixed_text(0.125, 2) == "0.12");
    CHECK(fixed_text(0.375, 2) == "0.38");
    CHECK(fixed_text(0.1, 20) == "0.10000000000000000555");
}

TEST_CASE("decimal: every text has a point and no digits that say nothing") {
    CHECK(fixed_text(3, 4) == "3.");
    CHECK(fixed_text({false, "5", -2}) == "0.05");
    CHECK(fixed_text({true, "12", 3}) == "-1200.");
    CHECK(scientific_text({false, "12", 3}, 2) == "1.2e+03");
    CHECK(scientific_text({true, "5", -324}, 2) == "-5.e-324");
    CHECK(scientific_text({false, "5", 0}, 3) == "5.e+000");
}
