#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "core/number.h"
#include "recognition/evidence/simple_number.h"

namespace pegen::evidence {
namespace {

std::string cheapest(double value, double error) {
    return simple_numbers({value, error}).front().text;
}

TEST_CASE("simple numbers: the cheapest comes first") {
    CHECK(cheapest(9999.7, 1) == "10000");
    CHECK(cheapest(0.2499, 0.001) == "0.25");
    CHECK(cheapest(1e-12, 1e-10) == "0");
    CHECK(cheapest(-3.0001, 0.01) == "-3");
    CHECK(cheapest(499800, 300) == "500000");
    CHECK(cheapest(0.33333, 1e-4) == shortest(1.0 / 3));
    CHECK(cheapest(6.2831853, 1e-6) == shortest(2 * std::numbers::pi));
    CHECK(cheapest(0.7071068, 1e-6) == shortest(std::sqrt(0.5)));
    CHECK(cheapest(32767.9, 0.3) == "32768");
}

TEST_CASE(
    "simple numbers: each is within the error, costs no less than the one before, and reads "
    "back") {
    for (const double value : {1.0, 0.3, 12345.678, -7.5, 1e-9, 4.2e17}) {
        for (const double share : {1e-1, 1e-4, 1e-9, 0.0}) {
            const double error = share * std::fabs(value);
            const std::vector<SimpleNumber> numbers = simple_numbers({value, error}, 6);
            REQUIRE(!numbers.empty());
            CHECK(numbers.size() <= 6);
            for (const SimpleNumber& number : numbers) {
                CHECK(std::fabs(number.value - value) <= error * (1 + 1e-15));
                CHECK(parse_real(number.text, "number") == number.value);
                CHECK(number.bits == bits_of_number(number.text));
            }
        }
    }
}

TEST_CASE("simple numbers: the last has all digits that the error allows") {
    CHECK(simple_numbers({0.123456789, 1e-6}).back().text == "0.12345679");
    CHECK(simple_numbers({0.1234567890123456, 0}).back().text == "0.1234567890123456");
}

TEST_CASE("simple numbers: there are none of what is not finite") {
    CHECK(simple_numbers({std::numeric_limits<double>::infinity(), 1}).empty());
    CHECK(simple_numbers({std::nan(""), 1}).empty());
    CHECK(simple_numbers({1, std::nan("")}).empty());
}

TEST_CASE("simple numbers: a number costs more with each digit, less if code bases have it") {
    CHECK(bits_of_number("0") < bits_of_number("1"));
    CHECK(bits_of_number("1") < bits_of_number("7"));
    CHECK(bits_of_number("7") < bits_of_number("17"));
    CHECK(bits_of_number("10000") < bits_of_number("7"));
    CHECK(bits_of_number("10000") < bits_of_number("10007") - 10);
    CHECK(bits_of_number("0.5") < bits_of_number("0.53"));
    CHECK(bits_of_number("3.141592653589793") < bits_of_number("3.1416"));
    CHECK(bits_of_number("-2") > bits_of_number("2"));
}

}  // namespace
}  // namespace pegen::evidence
