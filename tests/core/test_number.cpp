#include <doctest/doctest.h>

#include "core/error.h"
#include "core/number.h"

using namespace pegen;

namespace {

std::string integer_refusal(std::string_view text) {
    try {
        parse_integer(text, "--len");
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

std::string real_refusal(std::string_view text) {
    try {
        parse_real(text, "--base");
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("number: integers are read in decimal") {
    CHECK(parse_integer("0", "") == 0);
    CHECK(parse_integer("-12", "") == -12);
    CHECK(parse_integer("9223372036854775807", "") == 9223372036854775807);
}

TEST_CASE("number: what only looks like an integer is refused with the reason") {
    CHECK(integer_refusal("010") == "--len 010: integers are decimal; leave out the leading zero");
    CHECK(integer_refusal("0x10") == "--len 0x10: integers are decimal, not hexadecimal");
    CHECK(integer_refusal("1e3") == "--len 1e3: needs an integer written in digits: 1000");
    CHECK(integer_refusal("12abc") == "--len 12abc: not an integer: 'abc' after the digits");
    CHECK(integer_refusal("12.5") == "--len 12.5: needs an integer");
    CHECK(integer_refusal("") == "--len '': needs an integer");
    CHECK(integer_refusal("-") == "--len -: needs an integer");
    CHECK(integer_refusal("+5") == "--len +5: not an integer");
    CHECK(integer_refusal(" 5") == "--len  5: not an integer");
    CHECK(integer_refusal("9223372036854775808") ==
          "--len 9223372036854775808: too large for an integer");
}

TEST_CASE("number: reals are read in decimal") {
    CHECK(parse_real("10000", "") == 10000);
    CHECK(parse_real("1e4", "") == 10000);
    CHECK(parse_real("-.5", "") == -0.5);
}

TEST_CASE("number: what is not a finite decimal is refused with the reason") {
    CHECK(real_refusal("nan") == "--base nan: must be finite");
    CHECK(real_refusal("inf") == "--base inf: must be finite");
    CHECK(real_refusal("-infinity") == "--base -infinity: must be finite");
    CHECK(real_refusal("1e400") == "--base 1e400: beyond the range of a double");
    CHECK(real_refusal("1e-400") == "--base 1e-400: beyond the range of a double");
    CHECK(real_refusal("0x1p3") == "--base 0x1p3: numbers are decimal, not hexadecimal");
    CHECK(real_refusal("1,5") == "--base 1,5: not a number: ',5' after the digits");
    CHECK(real_refusal("ten") == "--base ten: not a number");
    CHECK(real_refusal("") == "--base '': needs a number");
}

TEST_CASE("number: the shortest decimal reads back as the same double") {
    CHECK(shortest(10000) == "10000");
    CHECK(shortest(0.1) == "0.1");
    CHECK(shortest(1.0 / 3) == "0.3333333333333333");
}
