#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expression.h"
#include "core/number.h"
#include "numerics/expression_value.h"

using namespace pegen;

namespace {

/// Returns the value of an expression in which n is `n`.
double value_of(std::string_view text, double n = 0, DType dtype = DType::float64) {
    const Expression expression = parse_expression(text, "--value", "formula");
    return numerics::exact_value(expression, std::vector(expression.steps.size(), n), dtype);
}

std::string refusal(std::string_view text, double n = 0) {
    try {
        return shortest(value_of(text, n));
    } catch (const UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("expression value: the formula is rounded once") {
    // By a program in C with MPFR, 400 bits.
    CHECK(value_of("exp(1/3)") == 1.3956124250860895);
    CHECK(value_of("sin(10^22)") == -0.85220084976718879);
    CHECK(value_of("cos(n*pi/7)", 3) == 0.22252093395631440);
    CHECK(value_of("tanh(0.1)^3") == 0.00099007287042324676);
    CHECK(value_of("(1 + 2^-60) - 1") == std::ldexp(1, -60));
    CHECK(value_of("1/3 + 2/3 - 1") == 0);
    CHECK(value_of("exp(log(3)) - 3 + 2^-80") == std::ldexp(1, -80));
    CHECK(value_of("log2(2^0.5)") == 0.5);
    // Halfway between two float32 numbers, and a little beside it.
    CHECK(value_of("1 + 2^-24", 0, DType::float32) == 1 + 0x1p-24);
    const double beyond = value_of("1 + 2^-24 + exp(-500)", 0, DType::float32);
    CHECK(static_cast<float>(beyond) == 1 + 0x1p-23F);
    const double below = value_of("1 + 2^-24 - exp(-500)", 0, DType::float32);
    CHECK(static_cast<float>(below) == 1);
}

TEST_CASE("expression value: steps and comparisons see the exact numbers") {
    CHECK(value_of("floor(log(8)/log(2))") == 3);
    CHECK(value_of("floor(log(8)/log(2) - 10^-30)") == 2);
    CHECK(value_of("ceil(log2(n))", 1024) == 10);
    CHECK(value_of("sqrt(2)^2 == 2") == 1);
    CHECK(value_of("sqrt(2)^2 < 2") == 0);
    CHECK(value_of("sqrt(2)^2 >= 2") == 1);
    CHECK(value_of("sqrt(2)^2 < 2 + 10^-60") == 1);
    CHECK(value_of("1/3 != 1/3 + 10^-40") == 1);
    CHECK(value_of("sign(exp(1) - e)") == 0);
    CHECK(value_of("not (sin(pi) != 0)") == 1);
    CHECK(value_of("floor(n*0.1)", 30) == 3);
    CHECK(value_of("7 % -3") == -2);
    CHECK(value_of("-7 // 2") == -4);
    CHECK(value_of("-7 % 2.5") == 0.5);
}

TEST_CASE("expression value: what 320 bits cannot tell from 0 gets more bits") {
    const auto with_little = [](const char* text, const char* little) {
        std::string whole = text;
        return refusal(whole.replace(whole.find('x'), 1, fmt::format("(sqrt(2)^2 - 2{})", little)));
    };
    struct Case {
        const char *text, *value, *refusal;
    };
    for (const Case& one :
         {Case{"sqrt(x)", "1e-60", "there is no square root of a negative number"},
          {"log(x)", "-276.3102111592855", "there is no logarithm of 0 or less"},
          {"log2(x)", "-398.63137138648347", "there is no logarithm of 0 or less"},
          {"x^0.5", "1e-60", "a negative number has only whole powers"}}) {
        CAPTURE(one.text);
        CHECK(with_little(one.text, " + 10^-120") == one.value);
        CHECK(with_little(one.text, " - 10^-120").ends_with(one.refusal));
    }
    CHECK(with_little("1/x", " - 10^-120") == "-1e+120");
    CHECK(with_little("1/x", "").ends_with("it divides by 0"));
    CHECK(with_little("x^-1", " + 10^-120") == "1e+120");
    CHECK(with_little("floor(x)", " - 10^-120") == "-1");
    CHECK(with_little("sign(x)", " - 10^-120") == "-1");
    CHECK(with_little("x < 0", " - 10^-120") == "1");
    CHECK(with_little("not x", " + 10^-120") == "0");
}

TEST_CASE("expression value: every operation, beside doubles") {
    for (const char* text : {"n + 2",
                             "n - 2",
                             "n*3",
                             "n/4",
                             "n//2",
                             "n % 3",
                             "n^2",
                             "2^n",
                             "-n",
                             "n < 2",
                             "n <= 2",
                             "n == 2",
                             "n != 2",
                             "n > 2",
                             "n >= 2",
                             "n > 0 and n < 3",
                             "n < 0 or n > 3",
                             "not n",
                             "abs(n)",
                             "sign(n)",
                             "min(n, 1)",
                             "max(n, 1)",
                             "clip(n, -1, 1)",
                             "where(n > 1, n, -n)",
                             "floor(n/2)",
                             "ceil(n/2)",
                             "6//0.1 + n",
                             "n if n < 1 else 5",
                             "-1 < n <= 2",
                             "max(n, 1, 2)"}) {
        for (const double n : {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 2.5, 3.0}) {
            CAPTURE(std::string(text));
            CAPTURE(n);
            CHECK(value_of(text, n) ==
                  evaluate(text, "--value", [=](std::string_view) { return std::optional(n); }));
        }
    }
}

TEST_CASE("expression value: a zero has no sign, infinities are what they are") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(!std::signbit(value_of("-n")));
    CHECK(!std::signbit(value_of("0*-1")));
    CHECK(!std::signbit(value_of("exp(1) - e")));
    CHECK(value_of("-n", infinity) == -infinity);
    CHECK(value_of("1/n", infinity) == 0);
    CHECK(value_of("exp(-n)", infinity) == 0);
    CHECK(value_of("min(n, 3)", infinity) == 3);
    CHECK(value_of("exp(-10^9)", 0, DType::float32) == doctest::Approx(0));
    for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16}) {
        for (const char* text :
             {"sin(n*pi)", "cos(pi*(n + 1/2))", "-abs(sqrt(n)^2 - n)", "exp(log(n + 1)) - n - 1",
              "-(log(n + 1) - log(n + 1))^2", "log(10^n)/log(10) - n", "cos(n)^2 + sin(n)^2 - 1"}) {
            CAPTURE(std::string(text));
            CHECK(value_of(text, 3, dtype) == 0);
            CHECK(!std::signbit(value_of(text, 3, dtype)));
        }
    }
    CHECK(std::signbit(value_of("-exp(-1000)")));  // a number below 0, too small for a double
}

TEST_CASE("expression value: what has no value is refused, with the place") {
    CHECK(refusal("1/n") == "--value 1/n: it divides by 0, with n = 0");
    CHECK(refusal("n//0", 2) == "--value n//0: it divides by 0, with n = 2");
    CHECK(refusal("1/(exp(n) - e)", 1) == "--value 1/(exp(n) - e): it divides by 0, with n = 1");
    CHECK(refusal("n^-1") == "--value n^-1: it divides by 0, with n = 0");
    CHECK(refusal("(-n)^0.5", 2) ==
          "--value (-n)^0.5: a negative number has only whole powers, with n = 2");
    CHECK(refusal("sqrt(n)", -1) ==
          "--value sqrt(n): there is no square root of a negative number, with n = -1");
    CHECK(refusal("log(n) + log2(n)") ==
          "--value log(n) + log2(n): there is no logarithm of 0 or less, with n = 0");
    CHECK(refusal("exp(exp(exp(99)))") == "--value exp(exp(exp(99))): it is too large");
    CHECK(refusal("n - n", std::numeric_limits<double>::infinity()) ==
          "--value n - n: it is not a number");
    CHECK(refusal("exp(300*n)", 3) == "--value exp(300*n): it is too large, with n = 3");
    CHECK(refusal("1e308*n", 10) == "--value 1e308*n: it is too large, with n = 10");
    CHECK(refusal("2^1024 - n", 1) == "--value 2^1024 - n: it is too large, with n = 1");
    CHECK(
        refusal("5 + sqrt(cos(n)^2 + sin(n)^2 - 1 - 1e-30)") ==
        "--value 5 + sqrt(cos(n)^2 + sin(n)^2 - 1 - 1e-30): there is no square root of a negative "
        "number, with n = 0");
    CHECK(refusal("where(n == 0, 5, log(n))") == "5");
    CHECK(refusal("n == 0 or 1/n > 2") == "1");
    CHECK(refusal("n != 0 and 1/n > 2") == "0");
}

TEST_CASE("expression value: what needs more than 5120 bits is refused, not made up") {
    const std::string reason = ": 5120 bits are too few to tell its value, with n = ";
    CHECK(value_of("3^n % 7", 3000) == 1);
    CHECK(refusal("3^n % 7", 4000) == "--value 3^n % 7" + reason + "4000");
    CHECK(refusal("sin(3^n)", 4000) == "--value sin(3^n)" + reason + "4000");
    CHECK(refusal("floor(exp(n)) % 2", 5000) == "--value floor(exp(n)) % 2" + reason + "5000");
    CHECK(refusal("(sqrt(n)^2 - n)*(2^1000)^5", 3) ==
          "--value (sqrt(n)^2 - n)*(2^1000)^5" + reason + "3");
    CHECK(refusal("sin(2^(2^28)) + n", 1) ==
          "--value sin(2^(2^28)) + n: an angle beyond 2^16384, with n = 1");
}

TEST_CASE("expression value: numbers between may be as large or as small as they are") {
    CHECK(value_of("1/(1 + exp(n))", 1.7e9) == 0);
    CHECK(value_of("log(exp(-n^2/2))", 1e6) == -5e11);
    CHECK(value_of("exp(n)*0", 1e10) == 0);
    CHECK(value_of("(1 + 1e-50)^1e50") == doctest::Approx(2.718281828459045));
    CHECK(value_of("exp(1e60*(log(8) - 3*log(2)))") == 1);
    CHECK(value_of("(sqrt(n)^2 - n)^0.5", 3) == 0);
    CHECK(value_of("(-1)^(n/3*3)", 5) == -1);
}
