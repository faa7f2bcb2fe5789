#include <doctest/doctest.h>

#include <array>

#include "core/error.h"
#include "core/parameters.h"

using namespace pegen;

namespace {

constexpr std::array specs{
    ParameterSpec{.name = "d",
                  .type = ParameterType::integer,
                  .default_value = "512",
                  .range = {.lowest = 1, .highest = 1024}},
    ParameterSpec{.name = "base", .default_value = "10000", .range = positive},
    ParameterSpec{.name = "layout",
                  .type = ParameterType::word,
                  .default_value = "interleaved",
                  .choices = "interleaved zero-pad"},
    ParameterSpec{.name = "positions", .type = ParameterType::reals, .range = any_position},
    ParameterSpec{.name = "scale", .default_value = "1", .choices = "1/sqrt(d)"},
    ParameterSpec{.name = "figsize", .type = ParameterType::size, .range = positive},
    ParameterSpec{.name = "title", .type = ParameterType::text},
    ParameterSpec{.name = "reverse", .type = ParameterType::flag},
};

std::string refusal(std::string_view name, std::string_view text) {
    Parameters parameters{specs};
    try {
        parameters.set(name, text, Origin::user);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

/// The message of the InternalError when the defaults are asked for something.
template <class Result>
std::string fault(Result (Parameters::*ask)(std::string_view) const, std::string_view name) {
    try {
        (Parameters{specs}.*ask)(name);
    } catch (const InternalError& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("parameters: start at the defaults of their specs") {
    const Parameters parameters{specs};
    CHECK(parameters.integer("d") == 512);
    CHECK(parameters.real("base") == 10000);
    CHECK(parameters.word("layout") == "interleaved");
    CHECK_FALSE(parameters.has("positions"));
    CHECK_FALSE(parameters.has("title"));
    CHECK_FALSE(parameters.flag("reverse"));
    CHECK_FALSE(parameters.given("d"));
}

TEST_CASE("parameters: a word that is refused is taken for the name or the list that is meant") {
    constexpr std::array words{ParameterSpec{.name = "dtype",
                                             .type = ParameterType::word,
                                             .default_value = "float32",
                                             .choices = "float32 float64 float16 bfloat16"},
                               ParameterSpec{.name = "slopes",
                                             .type = ParameterType::word,
                                             .default_value = "usual",
                                             .choices = "usual geometric"},
                               ParameterSpec{.name = "slope-list", .type = ParameterType::reals}};
    const auto refused = [&](std::string_view name, std::string_view text) {
        CHECK_THROWS_AS(Parameters{words}.set(name, text, Origin::user), UsageError);
        try {
            Parameters{words}.set(name, text, Origin::user);
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string dtypes = "must be one of float32, float64, float16, bfloat16";
    CHECK(refused("dtype", "half") == "--dtype half: " + dtypes + "; did you mean 'float16'?");
    CHECK(refused("dtype", "double") == "--dtype double: " + dtypes + "; did you mean 'float64'?");
    CHECK(refused("dtype", "single") == "--dtype single: " + dtypes + "; did you mean 'float32'?");
    CHECK(refused("slopes", "half") == "--slopes half: must be one of usual, geometric");
    CHECK(refused("slopes", "0.5,1e-2") ==
          "--slopes 0.5,1e-2: must be one of usual, geometric; a list of numbers is --slope-list");
    CHECK(refused("dtype", "3") == "--dtype 3: " + dtypes);
}

TEST_CASE("parameters: a list of real numbers may have ranges") {
    Parameters parameters{specs};
    const auto list = [&](std::string_view text) {
        parameters.set("positions", text, Origin::user);
        parameters.evaluate_expressions();
        return parameters.reals("positions");
    };
    CHECK(list("0:3,0:2,7") == std::vector<double>{0, 1, 2, 0, 1, 7});
    CHECK(list("0:5:2,-1:1") == std::vector<double>{0, 2, 4, -1, 0});
    CHECK(list("3:0:-1") == std::vector<double>{3, 2, 1});
    CHECK(list("0:1:0.3,1/4:2") == std::vector<double>{0, 0.3, 0.6, 3 * 0.3, 0.25, 1.25});
    CHECK(list("d/256:4,d:0:-d/2") == std::vector<double>{2, 3, 512, 256});
    CHECK(list("0:1048576").size() == 1 << 20);
    CHECK(list("9007199254740990:9007199254740992").back() == 0x1p53 - 1);

    CHECK(list("2047x3,0:3x2,1/4x2") ==
          std::vector<double>{2047, 2047, 2047, 0, 0, 1, 1, 2, 2, 0.25, 0.25});
    CHECK(list("max(d,1)x2,d:0:-256x1") == std::vector<double>{512, 512, 512, 256});
    CHECK(refusal("positions", "0x0") ==
          "--positions 0x0: a number follows itself once or more, such as 7x3");
    CHECK(refusal("positions", "0x1048576") == "accepted");
    CHECK(refusal("positions", "0x1048577").starts_with("--positions 0x1048577: a list with"));
    CHECK(refusal("positions", "0:3x99999999999999999999").starts_with("--positions"));
    CHECK(refusal("positions", "1xx2").starts_with("--positions 1x"));
    CHECK(refusal("positions", "0:1048576,1") == "accepted");
    const std::string too_many =
        "a list with ranges has at most 2^20 numbers; for more positions use --len with --start "
        "and --step, or --positions-file";
    CHECK(refusal("positions", "1,0:1048576") == "--positions 0:1048576: " + too_many);
    CHECK(refusal("positions", "0:1000000000000") == "--positions 0:1000000000000: " + too_many);
    CHECK(refusal("positions", "0:1:1e-320") == "--positions 0:1:1e-320: " + too_many);
    for (const std::string text : {"0:", ":4", "0:1:2:3", "0::2", ":"}) {
        CHECK(refusal("positions", text) == "--positions " + text +
                                                ": a range is FROM:TO or FROM:TO:STEP, such as "
                                                "0:5");
    }
    for (const std::string text : {"5:5", "5:0", "0:5:-1"}) {
        CHECK(refusal("positions", text) ==
              "--positions " + text + ": is empty: the step must lead to TO, which is excluded");
    }
    CHECK(refusal("positions", "0:5:0") == "--positions 0:5:0: the step must not be 0");
    CHECK(refusal("positions", "9007199254740990:9007199254740994") ==
          "--positions 9007199254740994: must be between -9007199254740992 and 9007199254740992");
    CHECK(refusal("figsize", "1:2x3") == "--figsize 1:2: not a number: ':2' after the digits");
    CHECK(refusal("base", "1:2") == "--base 1:2: not a number: ':2' after the digits");
}

TEST_CASE("parameters: read each type") {
    Parameters parameters{specs};
    parameters.set("positions", "0,-1.5,1e3", Origin::user);
    CHECK(parameters.reals("positions") == std::vector<double>{0, -1.5, 1000});
    parameters.set("figsize", "10x8.5", Origin::user);
    CHECK(parameters.reals("figsize") == std::vector<double>{10, 8.5});
    parameters.set("scale", "1/sqrt(d)", Origin::user);
    CHECK(parameters.word("scale") == "1/sqrt(d)");
    parameters.set("layout", "zero_pad", Origin::user);
    CHECK(parameters.word("layout") == "zero-pad");
    parameters.set("title", "", Origin::user);
    CHECK(parameters.has("title"));
    CHECK(parameters.given("title"));
}

TEST_CASE("parameters: a value is written as it is typed") {
    Parameters parameters{specs};
    parameters.set_all("--figsize 10x8.5 --positions 0,-1.5,1e3 --reverse --base 10000",
                       Origin::user);
    std::string text;
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (!is_default(entry)) text += to_string(entry) + " ";
    }
    CHECK(text == "0,-1.5,1000 10x8.5 true ");
}

TEST_CASE("parameters: -0 is not the default 0") {
    constexpr std::array start{ParameterSpec{.name = "start", .default_value = "0"}};
    Parameters parameters{start};
    CHECK(is_default(parameters.entries().front()));
    parameters.set("start", "-0", Origin::user);
    CHECK_FALSE(is_default(parameters.entries().front()));
}

TEST_CASE("parameters: none removes an optional value") {
    Parameters parameters{specs};
    parameters.set("positions", "1", Origin::preset);
    parameters.set("positions", "none", Origin::user);
    CHECK_FALSE(parameters.has("positions"));
    CHECK(refusal("d", "none") == "--d none: not an integer");
}

TEST_CASE("parameters: refuse what the spec does not allow and say the rule") {
    CHECK(refusal("d", "0") == "--d 0: must be between 1 and 1024");
    CHECK(refusal("base", "0") == "--base 0: must be greater than 0");
    CHECK(refusal("layout", "zeropad") ==
          "--layout zeropad: must be one of interleaved, zero-pad; did you mean 'zero-pad'?");
    CHECK(refusal("positions", "1,,2") == "--positions 1,,2: a number is missing next to a ','");
    CHECK(refusal("positions", "") == "--positions '': needs numbers");
    CHECK(refusal("positions", "1,two") ==
          "--positions 1,two: not a number: 'two' is none, and no parameter that has one");
    CHECK(refusal("positions", "1e300") ==
          "--positions 1e300: must be between -9007199254740992 and 9007199254740992");
    CHECK(refusal("figsize", "10") == "--figsize 10: needs WIDTHxHEIGHT, such as 10x8");
    CHECK(refusal("figsize", "0x8") == "--figsize 0: must be greater than 0");
    CHECK(refusal("reverse", "yes") == "--reverse yes: must be true or false");
}

TEST_CASE("parameters: a name that no spec has is an internal error") {
    CHECK(fault(&Parameters::integer, "length") == "there is no parameter 'length'");
    CHECK_THROWS_AS(Parameters{specs}.set("length", "1", Origin::user), InternalError);
}

TEST_CASE("parameters: a value asked for as another type is an internal error") {
    CHECK(fault(&Parameters::word, "d") == "parameter 'd' is an integer, asked for as text");
    CHECK(fault(&Parameters::integer, "base") ==
          "parameter 'base' is a number, asked for as an integer");
    CHECK(fault(&Parameters::real, "layout") ==
          "parameter 'layout' is text, asked for as a number");
    CHECK(fault(&Parameters::reals, "positions") ==
          "parameter 'positions' is without a value, asked for as a list of numbers");
}

TEST_CASE("parameters: settings are read as they are typed") {
    Parameters parameters{specs};
    parameters.set_all("--layout zero-pad --reverse --d 8", Origin::preset);
    CHECK(parameters.word("layout") == "zero-pad");
    CHECK(parameters.flag("reverse"));
    CHECK(parameters.integer("d") == 8);
    CHECK_FALSE(parameters.given("d"));
    parameters.set_all("--reverse=false --d=4 --title=a=b --layout interleaved", Origin::user);
    CHECK_FALSE(parameters.flag("reverse"));
    CHECK(parameters.integer("d") == 4);
    CHECK(parameters.word("title") == "a=b");
    CHECK(parameters.word("layout") == "interleaved");
    parameters.set_all("--reverse=true --title a=b", Origin::user);
    CHECK(parameters.flag("reverse"));
    CHECK(parameters.word("title") == "a=b");
    CHECK_THROWS_AS(parameters.set_all("--reverse=no", Origin::user), UsageError);
}

TEST_CASE("parameters: a pattern is expanded with their values") {
    CHECK(expand("d {d}, base {base}, {unknown}", Parameters{specs}) ==
          "d 512, base 10000, {unknown}");
}

TEST_CASE("parameters: braces in a value are not expanded again") {
    Parameters parameters{specs};
    parameters.set("title", "{title} {d}", Origin::user);
    CHECK(expand("{title}: {{d}} {", parameters) == "{title} {d}: {512} {");
}
