#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/error.h"
#include "core/expression.h"
#include "core/number.h"
#include "core/parameters.h"

using namespace pegen;

namespace {

constexpr double pi = std::numbers::pi;

double value_of(std::string_view text) { return parse_real(text, "--x"); }

std::string refusal(std::string_view text) {
    try {
        return shortest(value_of(text));
    } catch (const UsageError& error) {
        return error.what();
    }
}

constexpr std::array specs{
    ParameterSpec{
        .name = "d", .aliases = "dim", .type = ParameterType::integer, .default_value = "16"},
    ParameterSpec{.name = "base", .default_value = "10000", .range = positive},
    ParameterSpec{.name = "freq-scale", .default_value = "1", .range = positive},
    ParameterSpec{.name = "limit"},
    ParameterSpec{.name = "centre", .default_value = "floor", .choices = "floor"},
};

double evaluated(std::string_view settings, std::string_view name) {
    Parameters parameters(specs);
    parameters.set_all(settings, Origin::user);
    parameters.evaluate_expressions();
    return parameters.real(name);
}

std::string refusal_of_settings(std::string_view settings) {
    try {
        evaluated(settings, "base");
        return "accepted";
    } catch (const UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("expression: it has the value that Python gives it") {
    CHECK(value_of("2*pi/12") == 2 * pi / 12);
    CHECK(value_of("1+2*3") == 7);
    CHECK(value_of("(1+2)*3") == 9);
    CHECK(value_of("7-2-1") == 4);
    CHECK(value_of("16/30") == 16.0 / 30);
    CHECK(value_of("8/4/2") == 1);
    CHECK(value_of("-2^2") == -4);
    CHECK(value_of("2^-1") == 0.5);
    CHECK(value_of("2**3**2") == 512);
    CHECK(value_of("(-2)^3") == -8);
    CHECK(value_of("sqrt(2/8)") == 0.5);
    CHECK(value_of("-ceil(7/2)") == -4);
    CHECK(value_of("floor(-0.5)+1/4") == -0.75);
    CHECK(value_of("exp(0) + log(1)") == 1);
    CHECK(value_of("e") == std::numbers::e);
    CHECK(value_of("1e3*1.5e-3") == 1e3 * 1.5e-3);
    CHECK(value_of("3--2") == 5);
    CHECK(value_of("-pi") == -pi);
    CHECK(value_of("7//2") == 3);
    CHECK(value_of("-7//2") == -4);
    CHECK(value_of("-7%3") == 2);
    CHECK(value_of("7%-3") == -2);
    CHECK(value_of("7.5%2") == 1.5);
    CHECK(value_of("2*7//3") == 4);
    CHECK(value_of("abs(-2)+sign(-3)") == 1);
    CHECK(value_of("clip(min(7,max(2,5)),0,4)") == 4);
    CHECK(value_of("1<2") == 1);
    CHECK(value_of("1+1>=3-1 and not 2!=2 or 0/1") == 1);
    CHECK(value_of("(0 and 1) or 1 and 0") == 0);
    CHECK(value_of("where(2==1,1/0,3)") == 3);
    CHECK(value_of("6//0.1") == 59);
    CHECK(value_of("1<2<3") == 1);
    CHECK(value_of("(3<2)+(1<3>2!=4)") == 1);
    CHECK(value_of("4 if 1<0 else 5 if 0 else 6") == 6);
    CHECK(value_of("max(1,3,2)+min(4,3,2,5)") == 5);
    CHECK(value_of("pow(2,3)+mod(7,4)+ln(1)") == 11);
    CHECK(value_of("(1) or 1/0") == 1);
    CHECK(value_of("(0) and 1/0") == 0);
}

TEST_CASE("expression: powers, exponentials and logarithms are the nearest doubles") {
    CHECK(value_of("10000^(2/16)") == 3.1622776601683795);
    CHECK(value_of("1.25^40") == 7523.163845262640);
    CHECK(value_of("10^22") == 1e22);
    CHECK(value_of("3^33") == 5559060566555523.0);
    CHECK(value_of("2^-1074") == std::numeric_limits<double>::denorm_min());
    CHECK(value_of("0^2") == 0);
    CHECK(value_of("exp(1)") == 2.718281828459045);
    CHECK(value_of("exp(-3)") == 0.049787068367863944);
    CHECK(value_of("log(10000)") == 9.210340371976184);
    CHECK(value_of("log(1.0000001)") == 9.999999505838704e-08);
}

TEST_CASE("expression: what is none is refused with the reason") {
    CHECK(refusal("2*") == "--x 2*: not a number: a number is missing at the end");
    CHECK(refusal("2*/3") == "--x 2*/3: not a number: a number is missing before '/3'");
    CHECK(refusal("(2") == "--x (2: not a number: a ')' is missing");
    CHECK(refusal("2)") == "--x 2): not a number: ')' after '2'");
    CHECK(refusal("2*3pi") == "--x 2*3pi: not a number: 'pi' after '2*3'");
    CHECK(refusal("1/(2-2)") == "--x 1/(2-2): not a number: it divides by 0");
    CHECK(refusal("0^-1") == "--x 0^-1: not a number: it divides by 0");
    CHECK(refusal("(-8)^(1/3)") ==
          "--x (-8)^(1/3): not a number: a negative number has only whole powers");
    CHECK(refusal("sqrt(-1)") == "--x sqrt(-1): not a number: there is no sqrt of -1");
    CHECK(refusal("log(0)") == "--x log(0): not a number: there is no log of 0");
    CHECK(refusal("sqrt 2+1") == "--x sqrt 2+1: not a number: a '(' is missing after sqrt");
    CHECK(refusal("sine(2)") ==
          "--x sine(2): not a number: there is no function sine; did you mean 'sin'?");
    CHECK(refusal("max(2)") == "--x max(2): not a number: max takes 2 values, separated by commas");
    CHECK(refusal("log(2,3)") ==
          "--x log(2,3): not a number: log takes 1 values, separated by commas");
    CHECK(refusal("7%0") == "--x 7%0: not a number: it divides by 0");
    CHECK(refusal("7//0") == "--x 7//0: not a number: it divides by 0");
    CHECK(refusal("1 if 2").ends_with("an 'else' is missing after '1 if 2'"));
    std::string sum = "1";
    for (int i = 0; i < 1001; ++i) sum += "+1";
    CHECK(refusal(sum).ends_with("more than 1000 operations within each other"));
    CHECK(refusal("sin(2)") == "--x sin(2): not a number: sin is not for numbers of parameters");
    CHECK(refusal("10^400") == "--x 10^400: not a number: beyond the range of a double");
    CHECK(refusal("1e400*2") == "--x 1e400*2: not a number: beyond the range of a double");
    for (const char* text : {"1e-400*2", "1e-200*1e-200", "1e-200/1e200", "1e-200^2", "2^-2000",
                             "exp(-1000)", "1 + 1e-400"}) {
        CHECK(refusal(text) ==
              std::string("--x ") + text + ": not a number: beyond the range of a double");
    }
    for (const char* text : {"0*1e-200", "0/7", "0^2", "sqrt(0)", "log(1)", "1e-320 - 1e-320"}) {
        CHECK(value_of(text) == 0);
    }
    CHECK(refusal("2*pie") ==
          "--x 2*pie: not a number: 'pie' has no value here; did you mean 'pi'?");
    CHECK(refusal(std::string(1000, '(') + "1").ends_with("too many parentheses and signs"));
    CHECK(refusal(std::string(1000, '-') + "1").ends_with("too many parentheses and signs"));
}

TEST_CASE("expression: parameters stand for their numbers, whatever the order") {
    CHECK(evaluated("--base d^2 --d 8", "base") == 64);
    CHECK(evaluated("--base 1/sqrt(dim)", "base") == 0.25);
    CHECK(evaluated("--base 2*freq_scale --freq-scale 3*pi/d", "base") == 2 * (3 * pi / 16));
    CHECK(evaluated("--freq-scale 2*pi", "freq-scale") == 2 * pi);
    CHECK(evaluated("--base where(not(d>16)and(d==16),7,8)", "base") == 7);
}

TEST_CASE("expression: of parameters, it is refused as soon as it is known to be wrong") {
    CHECK(refusal_of_settings("--base 1-d") == "--base 1-d: must be greater than 0, and is -15");
    CHECK(refusal_of_settings("--base -pi") ==
          "--base -pi: must be greater than 0, and is -3.141592653589793");
    CHECK(refusal_of_settings("--base base+1") == "--base base+1: its value depends on itself");
    CHECK(refusal_of_settings("--base freq_scale --freq-scale base") ==
          "--base freq_scale: its value depends on itself");
    CHECK(refusal_of_settings("--base 2*limit") == "--base 2*limit: --limit has no value");
    CHECK(refusal_of_settings("--base 2*dd") ==
          "--base 2*dd: not a number: 'dd' is none, and no parameter that has one; did you mean "
          "'d'?");
    CHECK(refusal_of_settings("--centre top") == "--centre top: must be a number or one of floor");
}
