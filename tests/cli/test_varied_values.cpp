#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "cli/batch/manifest.h"
#include "core/error.h"

using namespace pegen;
using namespace pegen::cli;

namespace {

std::string manifest_with(std::string_view range) {
    return fmt::format(R"({{"jobs": [{{"encoding": "x", "sweep": {{"d": {}}}}}]}})", range);
}

/// Returns the values of a range, separated by spaces, or the message that refuses it.
std::string values_of(std::string_view range) {
    try {
        const Manifest manifest = parse_manifest(manifest_with(range), "m.json");
        std::string values;
        for (const Setting& setting : manifest.families[0].sweeps[0].settings) {
            values += (values.empty() ? "" : " ") + setting.value.text;
        }
        return values;
    } catch (const FormatError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("sweep values: steps include the end and none is beyond it") {
    CHECK(values_of(R"({"from": 0, "to": 3})") == "0 1 2 3");
    CHECK(values_of(R"({"from": 5, "to": 5})") == "5");
    CHECK(values_of(R"({"from": 3, "to": 0, "step": -2})") == "3 1");
    CHECK(values_of(R"({"from": -1, "to": 1.5})") == "-1 0 1");
    CHECK(values_of(R"({"from": 1e3, "to": 3e3, "step": 1e3})") == "1000 2000 3000");
    CHECK(values_of(R"({"from": 99999.5, "to": 100000, "step": 0.5})") == "99999.5 100000");
    CHECK(values_of(R"({"from": 9223372036854775805, "to": 9223372036854775807})") ==
          "9223372036854775805 9223372036854775806 9223372036854775807");
}

TEST_CASE("sweep values: steps are those of the decimals that the manifest shows") {
    CHECK(values_of(R"({"from": 0.1, "to": 1, "step": 0.1})") ==
          "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    CHECK(values_of(R"({"from": 1e-3, "to": 0.0025, "step": 5e-4})") ==
          "0.001 0.0015 0.002 0.0025");
    CHECK(values_of(R"({"from": 0, "to": 0.3, "step": 0.15})") == "0 0.15 0.3");
}

TEST_CASE("sweep values: as NumPy spaces them, each rounded once") {
    CHECK(values_of(R"({"linspace": [0, 1, 5]})") == "0 0.25 0.5 0.75 1");
    CHECK(values_of(R"({"linspace": [0, 0.3, 4]})") == "0 0.1 0.2 0.3");
    CHECK(values_of(R"({"linspace": [7, 9, 1]})") == "7");
    CHECK(values_of(R"({"logspace": [0, 4, 5]})") == "1 10 100 1000 10000");
    CHECK(values_of(R"({"logspace": [-1, 0, 3]})") == "0.1 0.31622776601683794 1");
    CHECK(values_of(R"({"geomspace": [16, 4096, 9]})") == "16 32 64 128 256 512 1024 2048 4096");
    CHECK(values_of(R"({"geomspace": [1000, 1, 4]})") == "1000 100 10 1");
    CHECK(values_of(R"({"linspace": [-0.1, 0.2, 4]})") == "-0.1 0 0.1 0.2");
    CHECK(values_of(R"({"linspace": [-0.3, 1.8, 8]})") == "-0.3 0 0.3 0.6 0.9 1.2 1.5 1.8");
    CHECK(values_of(R"({"linspace": [1, 1e-300, 3]})") == "1 0.5 1e-300");
    CHECK(values_of(R"({"linspace": [-5e-324, 1e308, 2]})") == "-5e-324 1e+308");
}

TEST_CASE("sweep values: a number too small for a double is refused as one too large is") {
    for (const char* number : {"1e400", "1e-400", "-2.5e-330", "0.1E-323"}) {
        CAPTURE(number);
        for (const char* range :
             {"[{}]", "[1, {}]", "[[1, {}]]", R"({{"from": {}, "to": 1}})",
              R"({{"from": 0, "to": {}}})", R"({{"from": 0, "to": 1, "step": {}}})",
              R"({{"linspace": [{}, 1, 3]}})", R"({{"logspace": [1, {}, 3]}})",
              R"({{"geomspace": [1, {}, 3]}})"}) {
            CAPTURE(range);
            const std::string refusal = values_of(fmt::format(fmt::runtime(range), number));
            CHECK(refusal.starts_with("m.json: "));
            CHECK(refusal.find(std::string("flow parsing '") + number + "'") != refusal.npos);
        }
    }
    CHECK(values_of("[0e-999, 5e-324]") == "0 5e-324");
}

TEST_CASE("sweep values: a range that has no meaning is refused with its place") {
    const std::string place = "m.json: jobs[0].sweep.d";
    CHECK(values_of(R"("0..179")") ==
          place + ": must be an array, [...], or a range, {\"from\": 0, \"to\": 9}");
    CHECK(values_of(R"({})") == place + ": needs \"from\": a number");
    CHECK(values_of(R"({"from": 1})") == place + ": needs \"to\": a number");
    CHECK(values_of(R"({"from": 1, "to": 2, "stpe": 1})") ==
          place + ".stpe: unknown key; did you mean 'step'?");
    CHECK(values_of(R"({"from": "1", "to": 2})") == place + ".from: must be a number");
    CHECK(values_of(R"({"from": 1, "to": 2, "step": 0})") == place + ".step: must not be 0");
    CHECK(values_of(R"({"from": 2, "to": 1})") ==
          place + ": is empty: \"step\" leads away from \"to\"");
    CHECK(values_of(R"({"from": 1e-300, "to": 1})") ==
          place + ": its numbers are more than 18 digits apart");
    CHECK(values_of(R"({"from": -9223372036854775807, "to": 9223372036854775807})") ==
          place + ": its numbers are more than 18 digits apart");
    CHECK(values_of(R"({"linspace": [1, 2]})") ==
          place + ".linspace: must be [first, last, count]");
    CHECK(values_of(R"({"linspace": [1, 2, 0]})") ==
          place + ".linspace[2]: must be a count of values, at least 1");
    CHECK(values_of(R"({"linspace": [1, 2, 3], "from": 1})") ==
          place + ": \"linspace\" stands alone");
    CHECK(values_of(R"({"geomspace": [0, 2, 3]})") ==
          place + ".geomspace: must begin and end above 0");
    CHECK(values_of(R"({"logspace": [0, 400, 3]})") ==
          place + ".logspace: ends beyond the range of a double");
    CHECK(values_of(R"({"logspace": [-400, 0, 3]})") ==
          place + ".logspace: ends beyond the range of a double");
}

TEST_CASE("sweep values: a huge range is refused before a value is made") {
    const std::string refusal = "sweeps over more than 1000000 jobs";
    CHECK(values_of(R"({"from": 0, "to": 1e18})").ends_with(refusal));
    CHECK(values_of(R"({"from": 1, "to": 1000001})").ends_with(refusal));
    CHECK(values_of(R"({"linspace": [0, 1, 18446744073709551615]})").ends_with(refusal));
    std::string many;
    for (int i = 0; i < 900; ++i) {
        many += fmt::format(R"({}"k{}": {{"from": 1, "to": 100000}})", i > 0 ? "," : "", i);
    }
    try {
        parse_manifest("{\"jobs\": [{\"encoding\": \"x\", \"sweep\": {" + many + "}}]}", "m.json");
        FAIL("accepted");
    } catch (const FormatError& error) {
        CHECK(std::string(error.what()) == "m.json: jobs[0]: " + refusal);
    }
    CHECK_NOTHROW(parse_manifest(manifest_with(R"({"from": 1, "to": 100000})"), "m.json"));
}
